// Draws docs/storefront.png, a site by day on a desk and by night on a phone: `node scripts/draw-storefront.mjs ADDRESS`.
import { join } from "node:path";
import { chromium } from "playwright-core";

const [address] = process.argv.slice(2);
if (address === undefined) throw new Error("Which site? node scripts/draw-storefront.mjs ADDRESS");

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});

async function shot(path, { width, height, colorScheme }) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme,
    deviceScaleFactor: 1.25,
  });
  await page.goto(new URL(path, address).href, { waitUntil: "networkidle" });
  const picture = await page.screenshot();
  await page.close();
  return `data:image/png;base64,${picture.toString("base64")}`;
}

const desk = await shot("/", { width: 1280, height: 980, colorScheme: "light" });
const phone = await shot("/animals/1", { width: 320, height: 660, colorScheme: "dark" });

const page = await browser.newPage({ viewport: { width: 1200, height: 850 } });
await page.setContent(`<!doctype html><style>
body{margin:0;height:850px;background:linear-gradient(150deg,#f3e6d8,#e3d3c4);position:relative;overflow:hidden}
img{position:absolute;display:block}
.desk{left:50px;top:48px;width:1000px;border-radius:14px;box-shadow:0 30px 70px -30px rgb(60 35 15/.5)}
.phone{right:46px;bottom:44px;width:272px;border-radius:30px;border:9px solid #0f0d0b;box-shadow:0 30px 60px -18px rgb(40 20 5/.65)}
</style><img class="desk" src="${desk}"><img class="phone" src="${phone}">`);
await page.screenshot({ path: join(import.meta.dirname, "../docs/storefront.png") });
await browser.close();
