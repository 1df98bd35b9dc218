import { tarGz } from "../../../lib/publishing/archive/write-tar.ts";

/** Long enough to be sent in many pieces. */
const FILLER_LINES = 8_000;

/** A site of which each file says the version it belongs to; its script has a name of its own in every version. */
export interface VersionedSite {
  readonly version: number;
  /** `/app.3f9a002a.js` */
  readonly script: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Looks like the hash that a bundler would put there. */
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

/** The site as it is sent. */
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

/** The only version that a text speaks of. Throws when there are two, or none. */
export function versionOf(text: string): number {
  const versions = new Set(Array.from(text.matchAll(/\bv(\d+)\b/g), ([, digits]) => digits));
  const [only] = versions;
  if (versions.size !== 1 || only === undefined) {
    throw new Error(`An answer speaks of the versions ${[...versions].join(", ") || "(none)"}.`);
  }
  return Number(only);
}
