// Draws docs/dashboard.png, light on a desktop and dark on a phone, from an installation before its setup:
// `node scripts/draw-dashboard.mjs SETUP-LINK`.
import { openChromium } from "./chromium.mjs";
import { drawDesktopAndPhone } from "./desktop-and-phone.mjs";

const [link] = process.argv.slice(2);
if (link === undefined) throw new Error("Usage: node scripts/draw-dashboard.mjs SETUP-LINK");
const { origin, hash } = new URL(link);

const browser = await openChromium();
const context = await browser.newContext({ deviceScaleFactor: 1.25 });

const first = await context.newPage();
await first.goto(`${origin}/sign-in`);
const { account } = await first.evaluate(async (token) => {
  const post = async (path, body) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`/manage/v1${path}`, { method: "POST", headers, body });
    return answer.json();
  };
  const member = { token, email: "ada@shelter.example", name: "Ada" };
  await post("/setup/member", JSON.stringify({ ...member, password: "plough-lantern-otter-92" }));
  return post("/accounts/sample");
}, hash.slice(1));

async function shot(path, { width, height, colorScheme }) {
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
  await page.goto(`${origin}/accounts/${account.id}${path}`);
  await page.locator("h1").waitFor();
  await page.locator(".bone").first().waitFor({ state: "detached" });
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

const desktop = await shot("/overview", { width: 1280, height: 980, colorScheme: "light" });
const phone = await shot("/animals", { width: 340, height: 700, colorScheme: "dark" });

await drawDesktopAndPhone(browser, {
  name: "dashboard.png",
  desktop,
  phone,
  sky: ["#dfece9", "#c9dcd8"],
  shadows: ["rgb(10 50 45/.5)", "rgb(5 30 28/.65)"],
});
await browser.close();
