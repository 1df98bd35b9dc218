// The browser that draws the pictures of docs/ and of the animals.
import { chromium } from "playwright-core";

/** Opens the Chromium in `CHROMIUM`, or the system's, with further switches. */
export const openChromium = (switches = []) =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage", ...switches],
  });
