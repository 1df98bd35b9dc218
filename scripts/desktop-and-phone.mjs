// Draws a picture for docs/: a light page on a desktop, and a dark one on a phone in front of it.
import { join } from "node:path";

const asImage = (picture) => `data:image/png;base64,${picture.toString("base64")}`;

/** Writes docs/`name`. `sky` and `shadows` are CSS colours, from light to dark and from desktop to phone. */
export async function drawDesktopAndPhone(browser, { name, desktop, phone, sky, shadows }) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 850 } });
  await page.setContent(`<!doctype html><style>
body{margin:0;height:850px;background:linear-gradient(150deg,${sky.join()});position:relative;overflow:hidden}
img{position:absolute;display:block}
.desktop{left:50px;top:48px;width:1000px;border-radius:14px;box-shadow:0 30px 70px -30px ${shadows[0]}}
.phone{right:46px;bottom:44px;width:272px;border-radius:30px;border:9px solid #0f0d0b;box-shadow:0 30px 60px -18px ${shadows[1]}}
</style><img class="desktop" src="${asImage(desktop)}"><img class="phone" src="${asImage(phone)}">`);
  await page.screenshot({ path: join(import.meta.dirname, "../docs", name) });
}
