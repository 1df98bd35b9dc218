import { expect, test } from "bun:test";

import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";
import { preparedSites } from "../../../../lib/publishing/serving/prepared-site.ts";
import { siteOf } from "./shop-window.ts";

test("a site is prepared once, until too many files are prepared", async () => {
  const blobs = memoryBlobs();
  const small = await siteOf(blobs, { "/a.txt": "a", "/b.txt": "b" });
  const large = await siteOf(blobs, { "/c.txt": "c", "/d.txt": "d" });
  const prepared = preparedSites(3);
  const first = prepared(small);
  for (const path of ["/a.txt", "/b.txt", "/a.txt"]) first.at(path);
  prepared(large).at("/c.txt");
  expect(prepared(small)).toBe(first);
  prepared(large).at("/d.txt");
  expect(prepared(small)).not.toBe(first);
});
