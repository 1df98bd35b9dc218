export type EnvironmentName = "Production" | "Staging";

/** Longer than any key: what is longer is none, and is not looked at. */
const MAX_KEY_LENGTH = 256;

/** The key that stands behind `#key=` in the address; undefined where there is none. */
export function keyInFragment(hash: string): string | undefined {
  const written = /^#key=([^&]*)/.exec(hash)?.[1];
  if (written === undefined || written.length > MAX_KEY_LENGTH) return undefined;
  try {
    return decodeURIComponent(written);
  } catch {
    // Not written by us, and no key.
    return undefined;
  }
}

/** What was pasted, without what may come along: blanks, quotes, the name of the scheme. */
export function pastedKey(text: string): string {
  return text
    .slice(0, MAX_KEY_LENGTH)
    .trim()
    .replace(/^Bearer\s+/i, "")
    .replaceAll(/^["']|["']$/g, "");
}

/** Where the key says it belongs. */
export function environmentOf(key: string): EnvironmentName | undefined {
  if (key.startsWith("pet_live_")) return "Production";
  return key.startsWith("pet_test_") ? "Staging" : undefined;
}

/** As much of the key as tells it from others, and helps nobody. */
export function shownKey(key: string): string {
  return /^pet_(?:live|test)_[A-Za-z0-9]{1,4}/.exec(key)?.[0].concat("…") ?? "key of another form";
}

/** What is to be said of a key in an environment; empty when they go together. */
export function hintOn(key: string, environment: EnvironmentName): string {
  if (key === "") return "";
  const own = environmentOf(key);
  if (own === undefined) return "API keys begin with pet_live_ or pet_test_.";
  return own === environment ? "" : `This key belongs to ${own}; ${environment} refuses it.`;
}
