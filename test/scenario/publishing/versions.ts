import { tarGz } from "../../../lib/publishing/archive/write-tar.ts";

/** Long enough for many chunks. */
const FILLER_LINES = 8_000;

/** A site whose files all contain its version. Its script has a different name in each version. */
export interface VersionedSite {
  readonly version: number;
  /** `/app.3f9a002a.js` */
  readonly script: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Looks like a bundler's hash. */
export function scriptOf(version: number): string {
  return `/app.3f9a${version.toString(16).padStart(4, "0")}.js`;
}

export function versionedSite(version: number): VersionedSite {
  const script = scriptOf(version);
  const page = `<!doctype html><title>v${version}</title><script src="${script}"></script>`;
  return {
    version,
    script,
    files: new Map([
      ["index.html", `${page}<p>begins v${version}\n${`v${version}\n`.repeat(FILLER_LINES)}`],
      [script.slice(1), `// v${version}\n`],
      ["data.txt", `v${version}\n`],
    ]),
  };
}

/** Returns the site's archive. */
export function archiveOf({ files }: VersionedSite): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const entries = async function* (): AsyncGenerator<{
    path: string;
    size: number;
    content: Uint8Array;
  }> {
    for (const [path, text] of files) {
      const content = encoder.encode(text);
      yield { path, size: content.length, content };
    }
  };
  return new Response(tarGz(entries())).bytes();
}

/** Returns the only version in a text. Throws when it contains several or none. */
export function versionOf(text: string): number {
  const versions = new Set(Array.from(text.matchAll(/\bv(\d+)\b/g), ([, digits]) => digits));
  const [only] = versions;
  if (versions.size !== 1 || only === undefined) {
    throw new Error(`An answer speaks of the versions ${[...versions].join(", ") || "(none)"}.`);
  }
  return Number(only);
}
