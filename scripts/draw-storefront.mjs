// Draws docs/storefront.png, a site light on a desktop and dark on a phone: `node scripts/draw-storefront.mjs URL`.
import { openChromium } from "./chromium.mjs";
import { drawDesktopAndPhone } from "./desktop-and-phone.mjs";

const [address] = process.argv.slice(2);
if (address === undefined) throw new Error("Usage: node scripts/draw-storefront.mjs URL");

const browser = await openChromium();

async function shot(path, { width, height, colorScheme }) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme,
    deviceScaleFactor: 1.25,
  });
  await page.goto(new URL(path, address).href, { waitUntil: "networkidle" });
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

const desktop = await shot("/", { width: 1280, height: 980, colorScheme: "light" });
const phone = await shot("/animals/1", { width: 320, height: 660, colorScheme: "dark" });

await drawDesktopAndPhone(browser, {
  name: "storefront.png",
  desktop,
  phone,
  sky: ["#f3e6d8", "#e3d3c4"],
  shadows: ["rgb(60 35 15/.5)", "rgb(40 20 5/.65)"],
});
await browser.close();
