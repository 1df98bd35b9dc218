import { areaAt } from "../hosts.ts";
import type { ManifestFile } from "../model/deploy.ts";
import type { Site } from "../site.ts";

/** What a deploy has at a path: a file, or a directory whose page is one slash further. */
export type Located = ManifestFile | "directory" | undefined;

const SITE_FILE = "/petstore.site.json";

/**
 * Looks for a decoded path among the files of a site. `/dogs/` is `/dogs/index.html`, `/about` is `/about.html`;
 * an immutable file of a deploy that was live lately is found where the live one has nothing.
 */
export function locate(site: Site, path: string): Located {
  if (isOurs(path)) return undefined;
  const { files, departed } = site;
  if (path.endsWith("/")) return files.get(`${path}index.html`);
  const file = files.get(path);
  if (file !== undefined) return file;
  if (files.has(`${path}/index.html`)) return "directory";
  return files.get(`${path}.html`) ?? departed.get(path);
}

/** The page for what is not there, if the site has one. */
export function notFoundFile({ manifest, files }: Site): ManifestFile | undefined {
  return files.get(manifest.site.notFound ?? "/404.html");
}

/** Never taken from a deploy: the site file itself, hidden files, and what is ours on every host. */
function isOurs(path: string): boolean {
  if (path === SITE_FILE) return true;
  if (path.includes("/.") && !path.startsWith("/.well-known/")) return true;
  const area = areaAt(path);
  return area !== "page" && area !== "setup";
}
