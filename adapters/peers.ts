/** A package that an entry point needs and npm does not install automatically. */
export interface Peer<Loaded> {
  readonly name: string;
  /** Its version range in `peerDependencies` of package.json. */
  readonly range: string;
  /** Imports the package with a static specifier, which bundlers understand. */
  readonly load: () => Loaded;
}

/** Resolves a specifier like the entry point; throws when the package is not installed. */
type Resolve = (specifier: string) => unknown;

/**
 * Rejects with one error that names all missing packages of `peers` and the command to install them. A failing import
 * would name only the first one.
 *
 * Loads a package only when it cannot be resolved, because a bundler may have included it in the same file or the runtime
 * has no `import.meta.resolve` (Node before 20.6).
 */
export async function needPeers(
  entry: string,
  peers: readonly Peer<Promise<unknown>>[],
  resolve: Resolve | undefined = import.meta.resolve,
): Promise<void> {
  const missing: Peer<unknown>[] = [];
  for (const peer of peers) {
    if (resolve !== undefined && resolves(peer.name, resolve)) continue;
    try {
      await peer.load();
    } catch (error) {
      // An installed package that fails reports its own error.
      if (!isMissing(peer.name, error)) throw error;
      missing.push(peer);
    }
  }
  if (missing.length > 0) throw missingPeers(entry, missing);
}

/** `needPeers` for CommonJS. */
export function needPeersNow(
  entry: string,
  peers: readonly Peer<unknown>[],
  resolve: Resolve,
): void {
  const missing = peers.filter(({ name, load }) => {
    if (resolves(name, resolve)) return false;
    try {
      load();
      return false;
    } catch (error) {
      if (!isMissing(name, error)) throw error;
      return true;
    }
  });
  if (missing.length > 0) throw missingPeers(entry, missing);
}

function resolves(name: string, resolve: Resolve): boolean {
  try {
    resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the package `name` itself is missing, as opposed to one of its dependencies. */
function isMissing(name: string, error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const code = "code" in error ? error.code : undefined;
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") return false;
  const message = "message" in error ? String(error.message) : "";
  return message.includes(`'${name}'`) || message.includes(`"${name}"`);
}

function missingPeers(entry: string, missing: readonly Peer<unknown>[]): Error {
  const packages = missing.map(({ name, range }) => `${name}@${range}`);
  const one = packages.length === 1;
  const quoted = packages.map((each) => `"${each}"`).join(" ");
  const error = new Error(
    `${entry} needs ${one ? "a package that is" : "packages that are"} not installed: ${packages.join(", ")}. ` +
      `Install ${one ? "it" : "them"} with: npm install ${quoted}`,
  );
  // Hosts that can do without the entry point catch this code.
  return Object.assign(error, { code: "ERR_MODULE_NOT_FOUND" });
}
