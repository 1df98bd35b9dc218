/**
 * Names that lead nowhere in the public DNS, and everything below them: the registry of special-use names
 * (RFC 6761) and those set aside since. No public CA issues for one.
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
  // Not registered, and sure never to be: home routers and offices use them (RFC 6762 appendix G).
  "corp",
  "home",
  "lan",
  "localdomain",
  "mail",
  "private",
]);

/** The special-use name that `name` is or lies below; undefined when there is none. */
export function specialUseOf(name: string): string | undefined {
  const labels = name.split(".");
  for (let from = labels.length - 1; from >= 0; from--) {
    const ending = labels.slice(from).join(".");
    if (SPECIAL_USE.has(ending)) return ending;
  }
  return undefined;
}
