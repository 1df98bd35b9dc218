import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { scratch, type Installation } from "../cli/installation.ts";
import type { Program } from "../helpers/process.ts";

/** Writes a site of a page with a heading, and further files; returns its directory. */
export async function siteOf(
  heading: string,
  files: Readonly<Record<string, Uint8Array>> = {},
): Promise<string> {
  const site = await scratch();
  await writeFile(join(site, "index.html"), `<h1>${heading}</h1>`);
  for (const [name, content] of Object.entries(files)) await writeFile(join(site, name), content);
  return site;
}

/** Creates an account with a project; returns the project's slug. */
export async function project({ json }: Pick<Installation, "json">): Promise<string> {
  const { id } = await json<{ id: string }>("accounts", "create", "A");
  return (await json<{ slug: string }>("projects", "create", "Site", "--account", id)).slug;
}

/** Deploys a site with further files to a project; by default, to the only one. */
export async function deploy(
  { json }: Pick<Installation, "json">,
  heading: string,
  files: Readonly<Record<string, Uint8Array>>,
  slug?: string,
): Promise<void> {
  const to = slug ?? (await json<{ slug: string }[]>("projects", "list"))[0]?.slug ?? "";
  await json("deploy", await siteOf(heading, files), "--project", to);
}

/** Requests a file of a project's site. */
export function visit(
  { origin }: Program,
  slug: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(origin + path, { headers: { host: `${slug}.localhost`, ...headers } });
}

/** Returns the status and the text of a project's start page. */
export async function page(program: Program, slug: string): Promise<string> {
  const response = await visit(program, slug, "/");
  return `${response.status} ${await response.text()}`;
}
