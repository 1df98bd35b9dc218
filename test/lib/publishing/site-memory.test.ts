import { expect, test } from "bun:test";
import { createSiteMemory, type Seen } from "../../../lib/publishing/site-memory.ts";
import { aDeploy, aManifest, aProject } from "../../../testing/projects/fixture.ts";

/** Returns a site with `files` files, cached at time 0. */
function seen(id: string, count: number): Seen {
  const project = aProject(id);
  const manifest = aManifest(...Array.from({ length: count }, (_, index) => `file-${index}`));
  const files = new Map(manifest.files.map((file) => [file.path, file]));
  const deploy = aDeploy(`deploy-of-${id}`, { state: "live", projectId: id });
  const site = { project, catalogueId: 1, deploy, manifest, files, supersededFiles: new Map() };
  return { project, found: { kind: "site", site }, checkedAt: 0 };
}

test("only the latest unknown slugs are cached", () => {
  const memory = createSiteMemory();
  for (let count = 0; count < 20_001; count++) memory.learnUnused(`slug-${count}`, 0);
  expect(memory.recall("slug-0", 0)).toBeUndefined();
  expect(memory.recall("slug-1", 0)).toEqual({ found: undefined });
  expect(memory.recall("slug-20000", 0)).toEqual({ found: undefined });
});

test("the cache of sites is bounded by their files", () => {
  const memory = createSiteMemory();
  for (let count = 0; count < 25; count++) {
    const site = seen(`project-${count}`, 5_000);
    memory.learn(site.project.slug, site, undefined);
  }
  const remembered = Array.from({ length: 25 }, (_, count) => memory.seen(`project-${count}`));
  expect(remembered.filter((site) => site !== undefined).length).toBe(19);
  expect(memory.recall("slug-of-project-0", 0)).toBeUndefined();
  expect(memory.recall("slug-of-project-24", 0)).toBeDefined();
});

test("an entry of one version of a project is not used for another", () => {
  const memory = createSiteMemory();
  const first = seen("one", 1);
  memory.learn("old", first, undefined);
  const next = { ...first, project: { ...first.project, slug: "new", version: 2 } };
  memory.learn("new", next, undefined);
  expect(memory.recall("old", 0)).toBeUndefined();
  expect(memory.recall("new", 0)?.found).toBe(first.found);
});
