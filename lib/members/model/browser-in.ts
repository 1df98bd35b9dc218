/** A browser and its system by their common names; undefined if unknown. */
export interface BrowserName {
  readonly browser: string | undefined;
  readonly system: string | undefined;
}

/** The first match wins: browsers also name those they imitate. */
const BROWSERS = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//],
  ["Safari", /\bVersion\/[\d.]+ .*Safari\//],
  ["curl", /^curl\//],
] as const;

const SYSTEMS = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b/],
] as const;

export function browserIn(userAgent: string): BrowserName {
  const named = (known: typeof BROWSERS | typeof SYSTEMS): string | undefined =>
    known.find(([, sign]) => sign.test(userAgent))?.[0];
  return { browser: named(BROWSERS), system: named(SYSTEMS) };
}
