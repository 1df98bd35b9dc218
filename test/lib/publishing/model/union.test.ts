import { expect, test } from "bun:test";
import { MAX_ENTRIES, MAX_TOTAL_BYTES } from "../../../../lib/publishing/archive/limits.ts";
import type { Manifest } from "../../../../lib/publishing/model/deploy.ts";
import { unionOf } from "../../../../lib/publishing/model/union.ts";
import { codeOf, must } from "../../../helpers/outcome.ts";

const manifest = (
  paths: readonly string[],
  sha256: string,
  { site = {}, size = 1 }: { readonly site?: Manifest["site"]; readonly size?: number } = {},
): Manifest => ({
  files: paths.map((path) => ({ path, sha256, size, type: "", immutable: false, encodings: [] })),
  site,
});

const shown = ({ files }: Manifest): readonly string[] =>
  files.map(({ path, sha256 }) => `${path} ${sha256}`);

test("an added file replaces the live one at its path, in upper or lower case", () => {
  const live = manifest(["/a.html", "/animals/7/photo.jpg", "/b.html"], "live");
  const added = manifest(["/animals/7/photo.JPG", "/a.html"], "new");
  expect(shown(must(unionOf(live, added)))).toEqual([
    "/a.html new",
    "/animals/7/photo.JPG new",
    "/b.html live",
  ]);
});

test("a file and a directory of one name do not stay side by side", () => {
  const live = manifest(["/docs", "/pages/one.html", "/pages/two.html", "/pages2.html"], "live");
  const added = manifest(["/Docs/a.html", "/pages"], "new");
  expect(shown(must(unionOf(live, added)))).toEqual([
    "/Docs/a.html new",
    "/pages new",
    "/pages2.html live",
  ]);
});

test("the live settings stay unless the added files have some", () => {
  const live = manifest(["/petstore.site.json"], "live", { site: { title: "Live" } });
  expect(must(unionOf(live, manifest(["/a.html"], "new"))).site).toEqual({ title: "Live" });
  const own = manifest(["/petstore.site.json"], "new", { site: { language: "de" } });
  const both = must(unionOf(live, own));
  expect([both.site, shown(both)]).toEqual([{ language: "de" }, ["/petstore.site.json new"]]);
});

test("a site does not grow beyond the limits of one archive", () => {
  const many = Array.from({ length: MAX_ENTRIES }, (_, index) => `/${index}.html`);
  const live = manifest(many, "live");
  expect(codeOf(unionOf(live, manifest(["/new.html"], "new")))).toBe("payload_too_large");
  must(unionOf(live, manifest(["/7.html"], "new")));
  const large = manifest(["/a.bin"], "live", { size: MAX_TOTAL_BYTES });
  expect(codeOf(unionOf(large, manifest(["/b.html"], "new")))).toBe("payload_too_large");
});
