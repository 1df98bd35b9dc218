import { scriptOf, versionOf } from "./versions.ts";

/** The readers' view of a site during the swaps. */
export interface Seen {
  pages: number;
  readonly versions: Set<number>;
}

/** Reads the page and then its script repeatedly until `over`. Throws at the first mix. */
export async function read(
  site: string,
  over: { readonly yet: boolean },
  seen: Seen,
): Promise<void> {
  while (!over.yet) {
    const page = await text(`${site}/`);
    const version = versionOf(page);
    if (!page.includes(`src="${scriptOf(version)}"`)) throw new Error("The page was cut.");
    const other = versionOf(await text(`${site}${scriptOf(version)}`));
    if (other !== version) throw new Error(`The page of v${version} got the script of v${other}.`);
    seen.pages++;
    seen.versions.add(version);
  }
}

async function text(address: string): Promise<string> {
  const response = await fetch(address);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${address} answered ${response.status}.`);
  return body;
}
