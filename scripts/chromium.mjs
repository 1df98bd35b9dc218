// The browser that pictures of docs/ and animals are taken with.
import { chromium } from "playwright-core";

/** Opens Chromium: the one that `CHROMIUM` names, or that of the system. */
export const openChromium = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
