import { expect, test } from "bun:test";

import { browserIn } from "../../../../lib/members/model/browser-in.ts";

const like = "Mozilla/5.0";
const gecko = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`${like} (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0`, "Firefox", "Linux"],
  [
    `${like} (Windows NT 10.0; Win64; x64) ${gecko} Chrome/131.0.0.0 Safari/537.36`,
    "Chrome",
    "Windows",
  ],
  [
    `${like} (Windows NT 10.0; Win64; x64) ${gecko} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    "Edge",
    "Windows",
  ],
  [
    `${like} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`,
    "Safari",
    "macOS",
  ],
  [
    `${like} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`,
    "Chrome",
    "iPhone",
  ],
  [
    `${like} (Linux; Android 14; SM-S918B) ${gecko} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  [
    `${like} (X11; CrOS x86_64 14541.0.0) ${gecko} Chrome/131.0.0.0 Safari/537.36`,
    "Chrome",
    "ChromeOS",
  ],
  ["curl/8.5.0", "curl", undefined],
  ["", undefined, undefined],
  ["Chromexyz", undefined, undefined],
])("%s is recognized", (userAgent, browser, system) => {
  expect(browserIn(userAgent)).toEqual({ browser, system });
});
