import { utf8 } from "../../base/digest.ts";
import type { Blobs } from "../blobs.ts";
import type { Manifest } from "../model/deploy.ts";
import type { Project } from "../model/project.ts";

export const SITE_FILE_PATH = "/petstore.site.json";

/** A site of nothing but a site file: all of its pages are the storefront's. */
export async function starterManifest(
  blobs: Blobs,
  { name }: Pick<Project, "name">,
): Promise<Manifest> {
  const site = { title: name };
  const { sha256, size } = await blobs.put(utf8(`${JSON.stringify(site, undefined, 2)}\n`));
  return {
    files: [
      {
        path: SITE_FILE_PATH,
        sha256,
        size,
        type: "application/json; charset=utf-8",
        immutable: false,
        encodings: [],
      },
    ],
    site,
  };
}
