import { describe, expect, test } from "bun:test";

import type { Deploy, ManifestFile } from "../../../../lib/publishing/model/deploy.ts";
import { comparedWith, differenceBetween } from "../../../../lib/publishing/model/difference.ts";

function file(path: string, sha256: string, more: Partial<ManifestFile> = {}): ManifestFile {
  return { path, sha256, size: 10, type: "text/html", immutable: false, encodings: [], ...more };
}

function deploy(id: string, more: Partial<Deploy> = {}): Deploy {
  return {
    id,
    projectId: "prj_1",
    state: "superseded",
    source: "archive",
    author: "CI",
    files: 1,
    bytes: 1,
    pinned: false,
    createdAt: 0,
    touchedAt: 0,
    ...more,
  };
}

describe("the difference between two sites", () => {
  test("depends on content, not on how a file is served", () => {
    const before = [file("/a", "1"), file("/b", "2"), file("/c", "3", { size: 7 })];
    const after = [
      file("/b", "2", { immutable: true }),
      file("/c", "4", { size: 9 }),
      file("/d", "5"),
    ];
    expect(differenceBetween(before, after)).toEqual({
      added: [{ path: "/d", bytes: 10 }],
      changed: [{ path: "/c", bytes: 9, bytesBefore: 7 }],
      removed: [{ path: "/a", bytes: 10 }],
      counts: { added: 1, changed: 1, removed: 1, same: 1 },
      more: false,
    });
  });

  test("is empty for identical sites", () => {
    const site = [file("/a", "1"), file("/b", "2")];
    const { counts, more } = differenceBetween(site, site);
    expect([counts, more]).toEqual([{ added: 0, changed: 0, removed: 0, same: 2 }, false]);
  });

  test("lists at most 200 files of a kind and counts all", () => {
    const many = Array.from({ length: 201 }, (_, index) => file(`/${index}`, "1"));
    const gone = differenceBetween(many, []);
    expect([gone.removed.length, gone.counts.removed, gone.more]).toEqual([200, 201, true]);
    const come = differenceBetween([], many.slice(1));
    expect([come.added.length, come.counts.added, come.more]).toEqual([200, 200, false]);
  });
});

describe("a deploy is compared", () => {
  const old = deploy("old", { supersededAt: 1 });
  const before = deploy("before", { supersededAt: 2 });
  const live = deploy("live", { state: "live" });
  const failed = deploy("failed", { state: "failed" });

  test("with the live one", () => {
    for (const id of ["old", "before", "ready"]) {
      expect(comparedWith(id, [failed, live, before, old])?.id).toBe("live");
    }
  });

  test("with the previously live one if it is live", () => {
    expect(comparedWith("live", [failed, live, old, before])?.id).toBe("before");
  });

  test("with none if no other exists", () => {
    expect(comparedWith("live", [failed, live])).toBeUndefined();
  });
});
