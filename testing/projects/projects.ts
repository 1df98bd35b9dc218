import { system } from "../../lib/model/actor.ts";
import { MAX_OLD_SLUGS } from "../../lib/publishing/model/project.ts";
import type { ProjectChange } from "../../lib/publishing/project-store.ts";
import { equal } from "../contract-case.ts";
import { START } from "../shelter.ts";
import { aProject, projectStoreCases, type ProjectStoreCase, REDIRECTS_MS } from "./fixture.ts";

const purge = (projectId: string, deletedBefore: number): ProjectChange => ({
  kind: "project.purge",
  projectId,
  deletedBefore,
});

/** Projects. */
export const projectCases: readonly ProjectStoreCase[] = projectStoreCases({
  "every event has the actor of its commit, except that the service removes surplus deploys":
    async ({ store, projectStore, addProject, addDeploy }) => {
      await addProject("one");
      await addDeploy("old");
      const before = await store.events.last();
      const actor = { kind: "member", id: "mem_one" } as const;
      const [projectId, deployId, at] = ["one", "old", START];
      await projectStore.commit([{ kind: "deploy.expire", projectId, deployId, at }], actor);
      await projectStore.commit([{ kind: "project.delete", projectId, at }], actor);
      equal(
        (await store.events.after(before, 10)).map((event) => [event.type, event.actor]),
        [
          ["deploy.deleted", { kind: "system" }],
          ["project.deleted", actor],
        ],
        "events",
      );
    },

  "a created project is found by id and by slug": async ({ projectStore, addProject }) => {
    const made = await addProject("one");
    equal(made, aProject("one"), "outcome");
    equal(await projectStore.projects.byId("one"), made, "by id");
    equal(await projectStore.projects.bySlug(made.slug, START), { project: made }, "by slug");
    equal(await projectStore.projects.byId("two"), undefined, "unknown");
    equal(await projectStore.projects.bySlug("two", START), undefined, "unknown slug");
    const plain = await addProject("plain", { theme: {} });
    equal(await projectStore.projects.byId("plain"), plain, "without a theme");
    const site = { language: "de", intro: "Zwei\nZeilen", hours: "10–16 Uhr" };
    const told = await addProject("told", { site });
    equal(told.site, site, "its settings");
    equal(await projectStore.projects.byId("told"), told, "with settings");
  },

  "a project requires an account, a free slug and room below the limit": async ({
    addProject,
    refusal,
  }) => {
    await addProject("one");
    const create = (more: object, atMost = 100): ProjectChange => ({
      kind: "project.create",
      project: { ...aProject("two"), ...more },
      atMost,
    });
    const why = async (change: ProjectChange) => (await refusal(change)).refusal;
    equal(await why(create({ accountId: "acc_none" })), "missing", "account");
    equal(await why(create({ slug: "slug-of-one" })), "taken", "slug");
    equal(await why(create({}, 1)), "limit", "place");
  },

  "an update applies only to the version it was decided on": async ({
    projectStore,
    commit,
    refusal,
    addProject,
  }) => {
    const from = await addProject("one");
    const to = {
      ...from,
      name: "Other",
      filter: { ...from.filter, categoryIds: [] },
      theme: {},
      site: { title: "Others" },
    };
    const change = { kind: "project.update", from, to, oldSlugUntil: START, at: START } as const;
    const [changed] = await commit({ ...change, at: START + 1 });
    equal(changed, { ...to, version: 2, updatedAt: START + 1 }, "outcome");
    equal(await projectStore.projects.byId("one"), changed, "read back");
    equal(await refusal(change), { index: 0, refusal: "stale" }, "a second time");
    await commit({ kind: "project.delete", projectId: "one", at: START });
    const latest = await projectStore.projects.byId("one");
    equal(
      (await refusal({ ...change, from: latest ?? from })).refusal,
      "stale",
      "a deleted project",
    );
  },

  "one of two updates of the same version applies": async ({ projectStore, addProject }) => {
    const from = await addProject("one");
    const change = { kind: "project.update", from, oldSlugUntil: START, at: START } as const;
    const outcomes = await Promise.all(
      ["A", "B"].map((name) => projectStore.commit([{ ...change, to: { ...from, name } }], system)),
    );
    equal(
      outcomes.map(({ ok }) => ok),
      [true, false],
      "applied",
    );
  },

  "projects are listed newest first, by account and after a cursor": async ({
    store,
    projectStore,
    addProject,
    commit,
  }) => {
    const account = { ...(await store.accounts.byId("acc_one")), id: "acc_two" };
    await store.commit(
      [{ kind: "account.create", account: { ...anAccountLike, ...account } }],
      system,
    );
    for (const id of ["a", "b", "c"]) await addProject(id);
    await addProject("other", { accountId: "acc_two" });
    await commit({ kind: "project.delete", projectId: "b", at: START + 5 });
    const ids = async (query: object): Promise<readonly string[]> =>
      (await projectStore.projects.list({ limit: 9, deletedAfter: START, ...query })).map(
        ({ id }) => id,
      );
    equal(await ids({}), ["other", "c", "b", "a"], "all");
    equal(await ids({ accountId: "acc_one" }), ["c", "b", "a"], "of one account");
    equal(await ids({ after: "c", limit: 1 }), ["b"], "after a cursor");
    equal(await ids({ accountId: "acc_one", after: "b" }), ["a"], "after a cursor of the account");
    equal(
      await ids({ accountId: "acc_one", after: "other" }),
      [],
      "after another account's cursor",
    );
    equal(await ids({ deletedAfter: START + 5 }), ["other", "c", "a"], "without deleted ones");
    await store.commit([{ kind: "account.delete", accountId: "acc_two", at: START }], system);
    equal(await ids({}), ["c", "b", "a"], "excludes those of deleted accounts");
  },

  "a deleted project can be restored unchanged until the deadline": async ({
    projectStore,
    addProject,
    commit,
    refusal,
  }) => {
    const made = await addProject("one");
    const restore = { kind: "project.restore", projectId: "one", atMost: 1, at: START } as const;
    equal((await refusal({ ...restore, deletedAfter: 0 })).refusal, "missing", "not deleted");
    await commit({ kind: "project.delete", projectId: "one", at: START });
    equal((await projectStore.projects.byId("one"))?.deletedAt, START, "deletedAt");
    const again = { kind: "project.delete", projectId: "one", at: START } as const;
    equal((await refusal(again)).refusal, "missing", "deleted twice");
    equal((await refusal({ ...restore, deletedAfter: START })).refusal, "missing", "too late");
    const [restored] = await commit({ ...restore, deletedAfter: START - 1 });
    equal(restored, { ...made, version: 3, updatedAt: START }, "restored");
  },

  "a deleted project does not count towards the limit, but its restoration does": async ({
    addProject,
    commit,
    refusal,
  }) => {
    await addProject("one");
    await commit({ kind: "project.delete", projectId: "one", at: START });
    await commit({ kind: "project.create", project: aProject("two"), atMost: 1 });
    const restore = { kind: "project.restore", projectId: "one", at: START } as const;
    const refused = await refusal({ ...restore, atMost: 1, deletedAfter: 0 });
    equal(refused.refusal, "limit", "restored");
  },

  "a project is purged some time after its deletion, which frees its slug": async ({
    projectStore,
    addProject,
    commit,
    refusal,
  }) => {
    const { slug } = await addProject("one");
    await addProject("stays");
    equal(await projectStore.projects.purgeable(START + 9, 9), [], "nothing is deleted");
    equal((await refusal(purge("one", START + 9))).refusal, "missing", "not deleted");
    await commit({ kind: "project.delete", projectId: "one", at: START });
    equal(await projectStore.projects.purgeable(START, 9), [], "too early");
    equal((await refusal(purge("one", START))).refusal, "missing", "too early");
    equal(await projectStore.projects.purgeable(START + 1, 9), ["one"], "purgeable");
    await commit(purge("one", START + 1));
    equal(await projectStore.projects.byId("one"), undefined, "project");
    await addProject("two", { slug });
  },

  "changes to a project of a deleted account write no events": async ({
    store,
    addProject,
    rename,
    commit,
  }) => {
    const from = await addProject("one");
    await store.commit([{ kind: "account.delete", accountId: "acc_one", at: START }], system);
    const last = await store.events.last();
    equal((await rename(from, "another")).slug, "another", "renamed");
    await commit({ kind: "project.delete", projectId: "one", at: START });
    equal(await store.events.after(last, 9), [], "events");
  },

  "the projects of a deleted account can be purged at once, with slugs and deploys": async ({
    store,
    projectStore,
    addProject,
    addDeploy,
    commit,
    refusal,
    releaseAll,
  }) => {
    await addProject("one");
    await addDeploy("a");
    await store.commit([{ kind: "account.delete", accountId: "acc_one", at: START }], system);
    equal(await projectStore.projects.purgeable(0, 9), ["one"], "purgeable");
    equal((await refusal(purge("one", 0))).refusal, "missing", "it has a deploy still");
    const deploy = { kind: "deploy.purge", projectId: "one", deployId: "a" } as const;
    await commit({ ...deploy, deletedBefore: 0 }, purge("one", 0));
    await releaseAll();
    equal(await projectStore.deploys.byId("one", "a"), undefined, "deploy");
    equal(await projectStore.projects.purgeable(0, 9), [], "nothing is left");
    equal((await projectStore.blobs.needed(["a-a"])).size, 0, "blobs");
  },

  "changes to projects write events and notices": async ({ store, addProject, rename, commit }) => {
    const [events, notices] = [await store.events.last(), await store.feed.last()];
    await rename(await addProject("one"), "renamed");
    await commit({ kind: "project.delete", projectId: "one", at: START });
    const restore = { kind: "project.restore", projectId: "one", at: START } as const;
    await commit({ ...restore, atMost: 9, deletedAfter: 0 });
    const written = await store.events.after(events, 9);
    equal(
      written.map(({ type, accountId, at, data }) => [type, accountId, at, data["projectId"]]),
      ["created", "updated", "deleted", "restored"].map((what) => [
        `project.${what}`,
        "acc_one",
        START,
        "one",
      ]),
      "events",
    );
    equal(
      (await store.feed.after(notices, 9)).map(({ topic, subject }) => [topic, subject]),
      written.map(() => ["project", "one"]),
      "notices",
    );
  },
});

const anAccountLike = {
  id: "acc_two",
  name: "Two",
  plan: "free",
  limits: { perMinute: 60, perDay: 1_000 },
  createdAt: START,
} as const;

/** Slugs and their redirects. */
export const slugCases: readonly ProjectStoreCase[] = projectStoreCases({
  "an old slug redirects to its project until it expires": async ({
    projectStore,
    addProject,
    rename,
  }) => {
    const project = await rename(await addProject("one", { slug: "old" }), "new");
    const redirectsUntil = START + REDIRECTS_MS;
    const { projects } = projectStore;
    equal(await projects.bySlug("new", START), { project }, "new");
    equal(await projects.bySlug("old", redirectsUntil - 1), { project, redirectsUntil }, "old");
    equal(await projects.bySlug("old", redirectsUntil), undefined, "over");
  },

  "another project can take an old slug only after its redirect expires": async ({
    projectStore,
    addProject,
    rename,
    refusal,
  }) => {
    await rename(await addProject("one", { slug: "old" }), "new");
    const early = aProject("two", { slug: "old", createdAt: START + REDIRECTS_MS - 1 });
    const create = { kind: "project.create", atMost: 9 } as const;
    equal((await refusal({ ...create, project: early })).refusal, "taken", "too early");
    const other = await addProject("three");
    const to = { ...other, slug: "old" };
    const update = { kind: "project.update", from: other, to, oldSlugUntil: START } as const;
    equal((await refusal({ ...update, at: START })).refusal, "taken", "by renaming");
    const late = START + REDIRECTS_MS;
    const project = await addProject("two", { slug: "old", createdAt: late });
    equal(await projectStore.projects.bySlug("old", late), { project }, "its new owner's");
  },

  "a project can take back its old slug": async ({ projectStore, addProject, rename }) => {
    const renamed = await rename(await addProject("one", { slug: "old" }), "new");
    const project = await rename(renamed, "old");
    const redirectsUntil = START + REDIRECTS_MS;
    const { projects } = projectStore;
    equal(await projects.bySlug("old", redirectsUntil), { project }, "its own again");
    equal(await projects.bySlug("new", START), { project, redirectsUntil }, "the reverse");
  },

  "an update with a taken slug leaves the project unchanged": async ({
    projectStore,
    addProject,
    refusal,
  }) => {
    await addProject("two", { slug: "two" });
    const from = await addProject("one", { slug: "one" });
    const to = { ...from, slug: "two", name: "Other" };
    const change = { kind: "project.update", from, to, oldSlugUntil: START + 9 } as const;
    equal((await refusal({ ...change, at: START })).refusal, "taken", "refusal");
    equal(await projectStore.projects.bySlug("one", START + 99), { project: from }, "as it was");
  },

  "only the latest old slugs redirect": async ({ projectStore, addProject, rename }) => {
    let project = await addProject("one", { slug: "slug-0" });
    for (let count = 1; count <= MAX_OLD_SLUGS + 1; count++) {
      project = await rename(project, `slug-${count}`, START + count);
    }
    const leads = async (slug: string): Promise<boolean> =>
      (await projectStore.projects.bySlug(slug, START)) !== undefined;
    equal(await leads("slug-0"), false, "the oldest");
    equal(await leads("slug-1"), true, "the oldest of the last ones");
    equal(await leads(`slug-${MAX_OLD_SLUGS + 1}`), true, "its own");
  },

  "only expired slugs are purged": async ({ projectStore, addProject, rename, commit }) => {
    await rename(await addProject("one", { slug: "old" }), "new");
    await commit({ kind: "slugs.purge", now: START + REDIRECTS_MS - 1, limit: 9 });
    const { projects } = projectStore;
    equal((await projects.bySlug("old", START))?.project.id, "one", "not expired");
    await commit({ kind: "slugs.purge", now: START + REDIRECTS_MS, limit: 9 });
    equal(await projects.bySlug("old", START), undefined, "over");
    equal((await projects.bySlug("new", START))?.project.id, "one", "its own");
  },
});
