// Draws docs/dashboard.png, by day on a desk and by night on a phone, of an installation that nobody has set up yet:
// `node scripts/draw-dashboard.mjs SETUP-LINK`.
import { join } from "node:path";
import { chromium } from "playwright-core";

const [link] = process.argv.slice(2);
if (link === undefined) throw new Error("Whose? node scripts/draw-dashboard.mjs SETUP-LINK");
const { origin, hash } = new URL(link);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
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
  return `data:image/png;base64,${picture.toString("base64")}`;
}

const desk = await shot("/overview", { width: 1280, height: 980, colorScheme: "light" });
const phone = await shot("/animals", { width: 340, height: 700, colorScheme: "dark" });

const page = await browser.newPage({ viewport: { width: 1200, height: 850 } });
await page.setContent(`<!doctype html><style>
body{margin:0;height:850px;background:linear-gradient(150deg,#dfece9,#c9dcd8);position:relative;overflow:hidden}
img{position:absolute;display:block}
.desk{left:50px;top:48px;width:1000px;border-radius:14px;box-shadow:0 30px 70px -30px rgb(10 50 45/.5)}
.phone{right:46px;bottom:44px;width:272px;border-radius:30px;border:9px solid #0f0d0b;box-shadow:0 30px 60px -18px rgb(5 30 28/.65)}
</style><img class="desk" src="${desk}"><img class="phone" src="${phone}">`);
await page.screenshot({ path: join(import.meta.dirname, "../docs/dashboard.png") });
await browser.close();
