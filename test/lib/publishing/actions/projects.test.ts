import { expect, test } from "bun:test";
import { system } from "../../../../lib/model/actor.ts";
import { DAY_MS } from "../../../../lib/base/clock.ts";
import { openPublishing } from "../../../helpers/publishing.ts";
import { codeOf, must } from "../../../helpers/outcome.ts";

const accountId = "acc_one";

test("a new project has a slug, all categories and all animals that are not sold", async () => {
  const { projects, store } = await openPublishing();
  const project = must(await projects.create({ accountId, name: "  My   dogs " }));
  expect(project.slug).toMatch(/^[a-z]+-[a-z]+-[0-9a-f]{4}$/);
  expect(project.id).toMatch(/^prj_[0-9A-Za-z]{12}$/);
  expect(project).toMatchObject({
    name: "My   dogs",
    filter: { categoryIds: [], statuses: ["available", "pending"] },
    theme: {},
    version: 1,
  });
  expect(await projects.byId(project.id)).toEqual(project);
  expect(await projects.bySlug(project.slug)).toEqual(project);
  await store.close();
});

test("invalid fields of a project are refused with the reason", async () => {
  const { projects, store } = await openPublishing({ reserved: ["edge"] });
  const create = async (more: object): Promise<string> =>
    codeOf(await projects.create({ accountId, name: "Dogs", ...more }));
  expect(await create({ accountId: "acc_none" })).toBe("not_found");
  for (const name of ["", " ", "a\nb", "x".repeat(81)]) {
    expect(await create({ name })).toBe("invalid_value");
  }
  for (const slug of ["a", "-ab", "www", "edge", "a--b"]) {
    expect(await create({ slug })).toBe("invalid_value");
  }
  expect(await create({ filter: { statuses: [] } })).toBe("invalid_value");
  expect(await create({ filter: { categoryIds: [99] } })).toBe("unknown_category");
  expect(await create({ theme: { accent: "red" } })).toBe("invalid_value");
  expect(await projects.list()).toEqual([]);
  await store.close();
});

test("categories of another account are unknown", async () => {
  const { projects, store } = await openPublishing();
  const other = await store.catalogues.of("acc_two", "production");
  await store.commit(
    [{ kind: "category.create", catalogueId: other?.id ?? 0, name: "Birds", at: 0 }],
    system,
  );
  const input = { name: "Birds", filter: { categoryIds: [4] } };
  expect(codeOf(await projects.create({ accountId, ...input }))).toBe("unknown_category");
  must(await projects.create({ accountId: "acc_two", ...input }));
  await store.close();
});

test("a taken slug is refused, and a random one is drawn again", async () => {
  const one = await openPublishing({ seed: 7 });
  const { slug } = must(await one.projects.create({ accountId, name: "Dogs" }));
  expect(codeOf(await one.projects.create({ accountId, name: "Cats", slug }))).toBe("slug_taken");
  await one.store.close();

  // The same seed gives the same slug again.
  const again = await openPublishing({ seed: 7 });
  must(await again.projects.create({ accountId: "acc_two", name: "Taken", slug }));
  expect(must(await again.projects.create({ accountId, name: "Dogs" })).slug).not.toBe(slug);
  await again.store.close();
});

test("an account has at most 100 projects", async () => {
  const { projects, store } = await openPublishing();
  for (let count = 1; count <= 100; count++) {
    must(await projects.create({ accountId, name: `Project ${count}` }));
  }
  expect(codeOf(await projects.create({ accountId, name: "One more" }))).toBe("limit_reached");
  must(await projects.create({ accountId: "acc_two", name: "First" }));
  await store.close();
});

test("a renamed project is found by both slugs for 30 days", async () => {
  const { projects, store, clock } = await openPublishing();
  const { id } = must(await projects.create({ accountId, name: "Dogs", slug: "old-dogs" }));
  const renamed = must(await projects.update(id, { slug: "new-dogs" }));
  expect(renamed).toMatchObject({ slug: "new-dogs", name: "Dogs", version: 2 });
  expect((await projects.bySlug("old-dogs"))?.id).toBe(id);
  const taken = await projects.create({ accountId: "acc_two", name: "Thief", slug: "old-dogs" });
  expect(codeOf(taken)).toBe("slug_taken");
  clock.advance(30 * DAY_MS);
  expect(await projects.bySlug("old-dogs")).toBeUndefined();
  must(await projects.create({ accountId: "acc_two", name: "Heir", slug: "old-dogs" }));
  await store.close();
});

test("an update without changes keeps the version and writes no event", async () => {
  const { projects, store } = await openPublishing();
  const project = must(
    await projects.create({ accountId, name: "Dogs", theme: { scheme: "dark" } }),
  );
  const last = await store.events.last();
  const { name, slug, filter, theme } = project;
  expect(must(await projects.update(project.id, { name, slug, filter, theme }))).toEqual(project);
  expect(await store.events.last()).toBe(last);
  await store.close();
});

test("an update changes single members of the filter and replaces the theme", async () => {
  const { projects, store } = await openPublishing();
  const theme = { accent: "#112233", scheme: "dark" } as const;
  const { id } = must(await projects.create({ accountId, name: "Dogs", theme }));
  const filter = { categoryIds: [1] };
  const changed = must(await projects.update(id, { filter, theme: { scheme: "light" } }));
  expect(changed.filter).toEqual({ categoryIds: [1], statuses: ["available", "pending"] });
  expect(changed.theme).toEqual({ scheme: "light" });
  await store.close();
});

test("simultaneous updates all apply", async () => {
  const { projects, store } = await openPublishing();
  const { id } = must(await projects.create({ accountId, name: "Dogs" }));
  const theme = { accent: "#112233" };
  await Promise.all([
    projects.update(id, { name: "Cats" }),
    projects.update(id, { slug: "all-cats" }),
    projects.update(id, { theme }),
  ]);
  expect(await projects.byId(id)).toMatchObject({ name: "Cats", slug: "all-cats", theme });
  await store.close();
});

test("a deleted project can be restored for a day", async () => {
  const { projects, store, clock } = await openPublishing();
  const { id, slug } = must(await projects.create({ accountId, name: "Dogs" }));
  must(await projects.delete(id));
  expect(codeOf(await projects.delete(id))).toBe("not_found");
  expect(codeOf(await projects.update(id, { name: "Cats" }))).toBe("not_found");
  clock.advance(DAY_MS - 1);
  expect((await projects.list({ accountId })).map((project) => project.id)).toEqual([id]);
  expect(must(await projects.restore(id)).deletedAt).toBeUndefined();
  must(await projects.restore(id));
  must(await projects.delete(id));
  clock.advance(DAY_MS);
  expect(codeOf(await projects.restore(id))).toBe("not_found");
  expect(await projects.byId(id)).toBeUndefined();
  expect(await projects.bySlug(slug)).toBeUndefined();
  expect(await projects.list({ accountId })).toEqual([]);
  await store.close();
});

test("the projects of a deleted account disappear at once", async () => {
  const { projects, store, clock } = await openPublishing();
  const { id, slug } = must(await projects.create({ accountId, name: "Dogs" }));
  await store.commit([{ kind: "account.delete", accountId, at: clock.now() }], system);
  expect(await projects.byId(id)).toBeUndefined();
  expect(await projects.bySlug(slug)).toBeUndefined();
  expect(await projects.list()).toEqual([]);
  expect(codeOf(await projects.update(id, { name: "Cats" }))).toBe("not_found");
  await store.close();
});
