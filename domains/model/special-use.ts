/**
 * Names that do not exist in the public DNS, with everything below them: special-use names (RFC 6761) and later
 * additions. No public CA issues for them.
 */
const SPECIAL_USE: ReadonlySet<string> = new Set([
  "alt",
  "arpa",
  "example",
  "example.com",
  "example.net",
  "example.org",
  "internal",
  "invalid",
  "local",
  "localhost",
  "onion",
  "test",
  // Never to be registered, as home routers and offices use them (RFC 6762 appendix G).
  "corp",
  "home",
  "lan",
  "localdomain",
  "mail",
  "private",
]);

/** Returns the special-use name that `name` is or lies below; undefined if there is none. */
export function specialUseOf(name: string): string | undefined {
  const labels = name.split(".");
  for (let from = labels.length - 1; from >= 0; from--) {
    const ending = labels.slice(from).join(".");
    if (SPECIAL_USE.has(ending)) return ending;
  }
  return undefined;
}
