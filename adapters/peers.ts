/** A package that an entry point needs and that npm does not install with this one. */
export interface Peer<Loaded> {
  readonly name: string;
  /** Its versions, as `peerDependencies` of package.json has them. */
  readonly range: string;
  /** Imports the package, in words that a bundler understands. */
  readonly load: () => Loaded;
}

/** Resolves a specifier as the entry point would; throws where the package is not installed. */
type Resolve = (specifier: string) => unknown;

/**
 * Rejects with one error that names every package of `peers` that is not installed, and how to install them all. Without
 * it, the import that fails first would name one of them, and the next start the next one.
 *
 * Installed packages are not loaded, unless they cannot be resolved: then a bundler may have put them into the same
 * file, or the runtime has no `import.meta.resolve` (Node before 20.6).
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
      // What is installed and fails has an error of its own.
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

/** Whether the runtime found no package `name`; a package that itself lacks another one is not missing. */
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
  // The code that hosts already catch where they can do without the entry point.
  return Object.assign(error, { code: "ERR_MODULE_NOT_FOUND" });
}
