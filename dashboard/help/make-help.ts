import { makeAsset } from "../make-asset.ts";
import type { GuideParts, Guides } from "../guides/guides.ts";
import { manualFiles, manualPages } from "./manual.ts";
import { indexPage, helpPage } from "./page.ts";
import { render } from "./render.ts";

const DOCS = `${import.meta.dir}/../../docs/`;

/** Makes the help from `docs/`. */
export async function makeHelp(parts: GuideParts): Promise<Pick<Guides, "help" | "pages">> {
  const read = await Promise.all(
    manualPages.map(async ({ slug, file, summary }) => {
      const text = await Bun.file(DOCS + file).text();
      return { path: `/help/${slug}`, summary, text, ...render(text) };
    }),
  );
  const pages = read.map(({ path, title, summary }) => ({ path, title, summary }));
  const files = Object.entries(manualFiles).map(async ([file, type]) => {
    const bytes = new Uint8Array(await Bun.file(DOCS + file).arrayBuffer());
    return makeAsset(`/help/${file}`, bytes, false, type);
  });
  const html = (path: string, text: string): ReturnType<typeof makeAsset> =>
    makeAsset(path, new TextEncoder().encode(text), false, "text/html; charset=utf-8");
  return {
    pages,
    help: [
      html("/help", indexPage(read, parts)),
      ...read.map((page) => html(page.path, helpPage(page.path, page, pages, parts))),
      // The Markdown sources, for programs.
      ...read.map(({ path, text }) =>
        makeAsset(
          `${path}.md`,
          new TextEncoder().encode(text),
          false,
          "text/markdown; charset=utf-8",
        ),
      ),
      ...(await Promise.all(files)),
    ],
  };
}
