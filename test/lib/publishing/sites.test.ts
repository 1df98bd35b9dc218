import { expect, test } from "bun:test";
import { system } from "../../../lib/model/actor.ts";
import { DAY_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { isPromise } from "../../../lib/base/eventual.ts";
import type { ProjectStore } from "../../../lib/publishing/project-store.ts";
import type { Found, Site } from "../../../lib/publishing/site.ts";
import { createSites } from "../../../lib/publishing/sites.ts";
import { StoreUnavailable } from "../../../lib/sql/sql.ts";
import type { Store } from "../../../lib/storage/store.ts";
import { chance } from "../../helpers/chance.ts";
import { archiveOf, openPublishing, type Bench } from "../../helpers/publishing.ts";
import { must } from "../../helpers/outcome.ts";
import { scratch } from "../../helpers/sqlite.ts";

const file = scratch();

const accountId = "acc_one";
const author = "Ada";

async function open(more: Parameters<typeof openPublishing>[0] = {}) {
  const bench = await openPublishing(more);
  const project = must(await bench.projects.create({ accountId, name: "Dogs", slug: "dogs" }));
  const deploy = async (...words: readonly string[]) =>
    must(await bench.projects.deploys.create(project.id, { archive: archiveOf(...words), author }));
  return { ...bench, id: project.id, deploy };
}

function siteOf(found: Found | undefined): Site {
  if (found?.kind !== "site") throw new Error(`It is ${found?.kind ?? "nowhere"}.`);
  return found.site;
}

const paths = (files: ReadonlyMap<string, unknown>): readonly string[] => [...files.keys()];

/** Wraps a store and counts its slug queries. */
function counted(projectStore: ProjectStore): {
  readonly projectStore: ProjectStore;
  readonly queries: () => number;
} {
  let queries = 0;
  const bySlug: ProjectStore["projects"]["bySlug"] = (slug, now) => {
    queries++;
    return projectStore.projects.bySlug(slug, now);
  };
  const projects = { ...projectStore.projects, bySlug };
  return { projectStore: { ...projectStore, projects }, queries: () => queries };
}

test("a slug leads to nothing, then to an empty project, then to its site", async () => {
  const { sites, store, id, deploy } = await open();
  expect(await sites.bySlug("cats")).toBeUndefined();
  expect(await sites.bySlug("dogs")).toMatchObject({ kind: "empty", project: { id } });
  const { id: deployId } = await deploy("a", "b");
  const site = siteOf(await sites.bySlug("dogs"));
  expect(site).toMatchObject({ project: { id }, deploy: { id: deployId, state: "live" } });
  expect(paths(site.files)).toEqual(["/a", "/b"]);
  const catalogue = await store.catalogues.of(accountId, "production");
  expect(site.catalogueId).toBe(catalogue?.id ?? 0);
  await store.close();
});

test("a confirmed site is served from the cache", async () => {
  const { sites, store, clock, deploy } = await open();
  await deploy("a");
  const first = await sites.bySlug("dogs");
  for (let second = 0; second < 5; second++) {
    clock.advance(SECOND_MS - 1);
    expect(sites.bySlug("dogs")).toBe(first as Found);
    sites.confirm(clock.now());
  }
  await store.close();
});

test("without confirmation an entry is valid for a second", async () => {
  const bench = await open();
  const { store, clock, projectStore, deploy, id } = bench;
  const sites = createSites({ store, projects: projectStore, clock });
  const first = await deploy("a");
  await deploy("b");
  expect(siteOf(await sites.bySlug("dogs")).deploy.id).not.toBe(first.id);
  must(await bench.projects.deploys.activate(id, first.id));
  clock.advance(SECOND_MS);
  expect(siteOf(await sites.bySlug("dogs")).deploy.id).toBe(first.id);
  clock.set(clock.now() - DAY_MS);
  must(await bench.projects.delete(id));
  expect(await sites.bySlug("dogs")).toBeUndefined();
  await store.close();
});

test("while the store cannot be read, cached sites are served for as long as allowed", async () => {
  const bench = await open();
  const { store, clock, projectStore, deploy } = bench;
  let answer: "normal" | "unavailable" | "silent" = "normal";
  const silence = Promise.withResolvers<void>();
  const { projects } = projectStore;
  const cut: typeof projectStore = {
    ...projectStore,
    projects: {
      ...projects,
      bySlug: async (slug, now) => {
        if (answer === "silent") await silence.promise;
        if (answer === "unavailable") throw new StoreUnavailable("cut off");
        return projects.bySlug(slug, now);
      },
    },
  };
  const sites = createSites({ store, projects: cut, staleForMs: 10 * SECOND_MS, clock });
  const { id } = await deploy("a");
  await sites.bySlug("dogs");

  answer = "unavailable";
  clock.advance(5 * SECOND_MS);
  expect(siteOf(await sites.bySlug("dogs")).deploy.id).toBe(id);
  await expect(sites.bySlug("cats")).rejects.toBeInstanceOf(StoreUnavailable);
  // Since the store failed, visitors do not wait for it.
  expect(siteOf(sites.bySlug("dogs") as Found).deploy.id).toBe(id);

  sites.confirm(clock.now());
  answer = "silent";
  clock.advance(2 * SECOND_MS);
  const slow = sites.bySlug("dogs");
  clock.advance(SECOND_MS);
  expect(siteOf(await slow).deploy.id).toBe(id);

  answer = "unavailable";
  silence.reject(new StoreUnavailable("timed out"));
  await Bun.sleep(0);
  clock.advance(10 * SECOND_MS);
  await expect(sites.bySlug("dogs")).rejects.toBeInstanceOf(StoreUnavailable);
  answer = "normal";
  expect(siteOf(await sites.bySlug("dogs")).deploy.id).toBe(id);
  await store.close();
});

test("changes of this process are visible at once", async () => {
  const { sites, store, projects, id, deploy } = await open();
  await deploy("a");
  await sites.bySlug("dogs");
  must(await projects.update(id, { name: "Other dogs" }));
  expect(siteOf(await sites.bySlug("dogs")).project.name).toBe("Other dogs");
  const { id: live } = await deploy("b");
  expect(siteOf(await sites.bySlug("dogs")).deploy.id).toBe(live);
  must(await projects.deploys.rollback(id));
  expect(paths(siteOf(await sites.bySlug("dogs")).files)).toEqual(["/a"]);
  must(await projects.delete(id));
  expect(await sites.bySlug("dogs")).toBeUndefined();
  must(await projects.restore(id));
  expect(paths(siteOf(await sites.bySlug("dogs")).files)).toEqual(["/a"]);
  await store.close();
});

test("an old slug redirects until it expires", async () => {
  const { sites, store, projects, clock, id, deploy } = await open();
  await deploy("a");
  await sites.bySlug("dogs");
  must(await projects.update(id, { slug: "all-dogs" }));
  expect(await sites.bySlug("dogs")).toEqual({ kind: "moved", slug: "all-dogs" });
  must(await projects.update(id, { slug: "good-dogs" }));
  for (let twice = 0; twice < 2; twice++) {
    expect(await sites.bySlug("dogs")).toEqual({ kind: "moved", slug: "good-dogs" });
    expect(await sites.bySlug("all-dogs")).toEqual({ kind: "moved", slug: "good-dogs" });
  }
  must(await projects.update(id, { slug: "dogs" }));
  expect(siteOf(await sites.bySlug("dogs")).project.slug).toBe("dogs");
  clock.advance(30 * DAY_MS - 1);
  sites.confirm(clock.now());
  expect(await sites.bySlug("good-dogs")).toEqual({ kind: "moved", slug: "dogs" });
  clock.advance(1);
  expect(await sites.bySlug("good-dogs")).toBeUndefined();
  await store.close();
});

test("the sites of a suspended account are offline until it is resumed", async () => {
  const { sites, store, clock, jobs, deploy } = await open();
  await deploy("a");
  await jobs.tick();
  expect(await sites.bySlug("dogs")).toBeDefined();
  const at = clock.now();
  await store.commit([{ kind: "account.suspend", accountId, suspendedAt: at, at }], system);
  await jobs.tick();
  expect(await sites.bySlug("dogs")).toBeUndefined();
  await store.commit([{ kind: "account.suspend", accountId, suspendedAt: undefined, at }], system);
  await jobs.tick();
  expect(await sites.bySlug("dogs")).toBeDefined();
  await store.commit([{ kind: "account.delete", accountId, at }], system);
  await jobs.tick();
  expect(await sites.bySlug("dogs")).toBeUndefined();
  await store.close();
});

test("immutable files of a superseded deploy are served for a day", async () => {
  const { sites, store, projects, clock, id, deploy } = await open();
  await deploy("page", "!one.css", "!shared.css");
  const second = await deploy("page", "!two.css", "!shared.css");
  const supersededFiles = async (): Promise<readonly string[]> =>
    paths(siteOf(await sites.bySlug("dogs")).supersededFiles).toSorted();
  expect(await supersededFiles()).toEqual(["/one.css"]);
  clock.advance(DAY_MS / 2);
  await deploy("page", "!shared.css");
  expect(await supersededFiles()).toEqual(["/one.css", "/two.css"]);
  clock.advance(DAY_MS / 2 + 1);
  must(await projects.update(id, { name: "Changed" }));
  expect(await supersededFiles()).toEqual(["/two.css"]);
  must(await projects.deploys.delete(id, second.id));
  expect(await supersededFiles()).toEqual([]);
  await store.close();
});

test("immutable files of the last ten superseded deploys are served", async () => {
  const { sites, store, deploy } = await open();
  for (let count = 0; count < 13; count++) await deploy("page", `!style-${count}.css`);
  const { supersededFiles } = siteOf(await sites.bySlug("dogs"));
  const last = Array.from({ length: 10 }, (_, index) => `/style-${11 - index}.css`);
  expect(paths(supersededFiles)).toEqual(last);
  await store.close();
});

test("many requests for an unknown slug cost one query, and for malformed slugs none", async () => {
  const { store, clock, ...bench } = await open();
  const { projectStore, queries } = counted(bench.projectStore);
  const sites = createSites({ store, projects: projectStore, clock });
  for (let count = 0; count < 1_000; count++) {
    expect(await sites.bySlug("nobody")).toBeUndefined();
    expect(await sites.bySlug(`-${count}`)).toBeUndefined();
    expect(await sites.bySlug("x".repeat(41 + count))).toBeUndefined();
  }
  expect(queries()).toBe(1);
  sites.forget("project", "any");
  await sites.bySlug("nobody");
  expect(queries()).toBe(2);
  await store.close();
});

test("a formerly unknown slug finds a project created with it", async () => {
  const { sites, store, projects } = await open();
  expect(await sites.bySlug("cats")).toBeUndefined();
  must(await projects.create({ accountId, name: "Cats", slug: "cats" }));
  expect(await sites.bySlug("cats")).toMatchObject({ kind: "empty" });
  await store.close();
});

test("concurrent requests share a slow query, and do not miss a change", async () => {
  const { store, clock, projects, id, ...bench } = await open();
  const { projectStore, queries } = counted(bench.projectStore);
  const sites = createSites({ store: later(store), projects: slow(projectStore), clock });
  const found = await Promise.all(Array.from({ length: 50 }, () => sites.bySlug("dogs")));
  expect([new Set(found).size, queries()]).toEqual([1, 1]);
  sites.forget("project", id);
  const before = sites.bySlug("dogs");
  must(await projects.update(id, { name: "Cats" }));
  sites.forget("project", id);
  const after = await sites.bySlug("dogs");
  expect(isPromise(before)).toBe(true);
  await before;
  expect(after).toMatchObject({ project: { name: "Cats" } });
  expect(await sites.bySlug("dogs")).toMatchObject({ project: { name: "Cats" } });
  await store.close();
});

/** Responds with delays, like a database over a network. */
function slow(projectStore: ProjectStore): ProjectStore {
  const { projects, deploys } = projectStore;
  return {
    ...projectStore,
    projects: {
      ...projects,
      bySlug: async (slug, now) => {
        const found = projects.bySlug(slug, now);
        await new Promise((resolve) => setImmediate(resolve));
        return found;
      },
    },
    deploys: { ...deploys, byId: async (project, id) => deploys.byId(project, id) },
  };
}

function later(store: Store): Store {
  return { ...store, accounts: { ...store.accounts, byId: async (id) => store.accounts.byId(id) } };
}

for (const pace of ["at once", "in its own time"] as const) {
  test(`200 readers over 50 activations only ever see whole deploys, of a store that answers ${pace}`, async () => {
    const { store, clock, projects, id, deploy, ...bench } = await open();
    const versions = new Map<string, readonly string[]>();
    for (let count = 0; count < 10; count++) {
      const words = ["index", "style", "script"].map((name) => `${name}-${count}`);
      const { id: deployId } = await deploy(...words);
      versions.set(
        deployId,
        words.map((word) => `/${word}`),
      );
    }
    const { projectStore } = bench;
    const sites =
      pace === "at once"
        ? bench.sites
        : createSites({ store: later(store), projects: slow(projectStore), clock });
    let done = false;
    let read = 0;
    const seen = new Set<string>();
    const reader = async (): Promise<void> => {
      while (!done) {
        const site = siteOf(await sites.bySlug("dogs"));
        expect(paths(site.files)).toEqual(versions.get(site.deploy.id) ?? []);
        expect(site.project.liveDeployId).toBe(site.deploy.id);
        seen.add(site.deploy.id);
        read++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const readers = Array.from({ length: 200 }, reader);
    const dice = chance();
    const ids = [...versions.keys()];
    for (let count = 0; count < 50; count++) {
      const next = ids[dice.between(0, ids.length - 1)] ?? "";
      must(await projects.deploys.activate(id, next));
      sites.forget("project", id);
      expect(siteOf(await sites.bySlug("dogs")).deploy.id).toBe(next);
    }
    done = true;
    await Promise.all(readers);
    expect(read).toBeGreaterThan(200);
    expect(seen.size).toBeGreaterThan(5);
    await store.close();
  });
}

/** Two processes over one file. */
async function two(): Promise<{ readonly one: Bench; readonly other: Bench; readonly id: string }> {
  const path = file();
  const { id, ...one } = await open({ path });
  const other = await openPublishing({ path, clock: one.clock, blobs: one.blobs, seed: 2 });
  await other.jobs.tick();
  return { one, other, id };
}

test("another process sees activations, renames and deletions within a second", async () => {
  const { one, other, id } = await two();
  const { projects, clock } = one;
  const seen = async (slug: string): Promise<unknown> => {
    clock.advance(250);
    await other.jobs.tick();
    const found = await other.sites.bySlug(slug);
    return found?.kind === "site" ? paths(found.site.files) : found?.kind;
  };
  expect(await seen("dogs")).toBe("empty");
  const publish = async (...words: readonly string[]) =>
    must(await projects.deploys.create(id, { archive: archiveOf(...words), author }));
  await publish("a");
  expect(await seen("dogs")).toEqual(["/a"]);
  await publish("b");
  expect(await seen("dogs")).toEqual(["/b"]);
  must(await projects.deploys.rollback(id));
  expect(await seen("dogs")).toEqual(["/a"]);
  must(await projects.update(id, { slug: "cats" }));
  expect([await seen("dogs"), await seen("cats")]).toEqual(["moved", ["/a"]]);
  must(await projects.delete(id));
  expect([await seen("dogs"), await seen("cats")]).toEqual([undefined, undefined]);
  await one.store.close();
  await other.store.close();
});

test("two processes that activate at the same time agree on the live deploy", async () => {
  const { one, other, id } = await two();
  const create = (bench: Bench, word: string) =>
    bench.projects.deploys.create(id, { archive: archiveOf(word), author });
  await Promise.all([create(one, "a"), create(other, "b"), create(one, "c")]);
  one.clock.advance(SECOND_MS);
  const live = await Promise.all(
    [one, other].map(async ({ sites }) => siteOf(await sites.bySlug("dogs")).deploy.id),
  );
  expect(live[0]).toBe(live[1] ?? "");
  const states = (await one.projectStore.deploys.list(id, 9)).map(({ state }) => state);
  expect(states.toSorted()).toEqual(["live", "superseded", "superseded"]);
  await one.store.close();
  await other.store.close();
});
