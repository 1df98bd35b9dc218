import type { ProjectChange } from "../../publishing/project-store.ts";
import { equal } from "../assert.ts";
import { START } from "../shelter.ts";
import type { ProjectStoreCase } from "./case.ts";
import { aProject, openKennel } from "./kennel.ts";

const purge = (projectId: string, deletedBefore: number): ProjectChange => ({
  kind: "project.purge",
  projectId,
  deletedBefore,
});

/** Promises about projects. */
export const projectCases: readonly ProjectStoreCase[] = [
  {
    name: "a project is found as it was made, by id and by slug",
    run: async (open) => {
      const { projectStore, addProject } = await openKennel(open);
      const made = await addProject("one");
      equal(made, aProject("one"), "outcome");
      equal(await projectStore.projects.byId("one"), made, "by id");
      equal(await projectStore.projects.bySlug(made.slug, START), { project: made }, "by slug");
      equal(await projectStore.projects.byId("two"), undefined, "unknown");
      equal(await projectStore.projects.bySlug("two", START), undefined, "unknown slug");
      const plain = await addProject("plain", { theme: {} });
      equal(await projectStore.projects.byId("plain"), plain, "without a theme");
    },
  },
  {
    name: "a project needs an account, a free slug and a place",
    run: async (open) => {
      const { addProject, refusal } = await openKennel(open);
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
  },
  {
    name: "a change applies to the version that it was decided on, and to no other",
    run: async (open) => {
      const { projectStore, commit, refusal, addProject } = await openKennel(open);
      const from = await addProject("one");
      const to = { ...from, name: "Other", filter: { ...from.filter, categoryIds: [] }, theme: {} };
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
  },
  {
    name: "of two changes of one version, one applies",
    run: async (open) => {
      const { projectStore, addProject } = await openKennel(open);
      const from = await addProject("one");
      const change = { kind: "project.update", from, oldSlugUntil: START, at: START } as const;
      const outcomes = await Promise.all(
        ["A", "B"].map((name) => projectStore.commit([{ ...change, to: { ...from, name } }])),
      );
      equal(
        outcomes.map(({ ok }) => ok),
        [true, false],
        "applied",
      );
    },
  },
  {
    name: "projects are listed newest first, by account, from any place on",
    run: async (open) => {
      const { store, projectStore, addProject, commit } = await openKennel(open);
      const account = { ...(await store.accounts.byId("acc_one")), id: "acc_two" };
      await store.commit([{ kind: "account.create", account: { ...anAccountLike, ...account } }]);
      for (const id of ["a", "b", "c"]) await addProject(id);
      await addProject("other", { accountId: "acc_two" });
      await commit({ kind: "project.delete", projectId: "b", at: START + 5 });
      const ids = async (query: object): Promise<readonly string[]> =>
        (await projectStore.projects.list({ limit: 9, deletedAfter: START, ...query })).map(
          ({ id }) => id,
        );
      equal(await ids({}), ["other", "c", "b", "a"], "all");
      equal(await ids({ accountId: "acc_one" }), ["c", "b", "a"], "of one account");
      equal(await ids({ after: "c", limit: 1 }), ["b"], "from a place on");
      equal(await ids({ accountId: "acc_one", after: "b" }), ["a"], "from a place of one's own");
      equal(await ids({ accountId: "acc_one", after: "other" }), [], "from a place of others");
      equal(await ids({ deletedAfter: START + 5 }), ["other", "c", "a"], "without deleted ones");
      await store.commit([{ kind: "account.delete", accountId: "acc_two", at: START }]);
      equal(await ids({}), ["c", "b", "a"], "without those of accounts that are gone");
    },
  },
  {
    name: "a deleted project can be restored for as long as it is said, as it was",
    run: async (open) => {
      const { projectStore, addProject, commit, refusal } = await openKennel(open);
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
  },
  {
    name: "a deleted project leaves its place to another, and needs one to come back",
    run: async (open) => {
      const { addProject, commit, refusal } = await openKennel(open);
      await addProject("one");
      await commit({ kind: "project.delete", projectId: "one", at: START });
      await commit({ kind: "project.create", project: aProject("two"), atMost: 1 });
      const restore = { kind: "project.restore", projectId: "one", at: START } as const;
      const refused = await refusal({ ...restore, atMost: 1, deletedAfter: 0 });
      equal(refused.refusal, "limit", "restored");
    },
  },
  {
    name: "a project is purged some time after it was deleted, and its slug is free then",
    run: async (open) => {
      const { projectStore, addProject, commit, refusal } = await openKennel(open);
      const { slug } = await addProject("one");
      await addProject("stays");
      equal(await projectStore.projects.departed(START + 9, 9), [], "nothing is deleted");
      equal((await refusal(purge("one", START + 9))).refusal, "missing", "not deleted");
      await commit({ kind: "project.delete", projectId: "one", at: START });
      equal(await projectStore.projects.departed(START, 9), [], "too early");
      equal((await refusal(purge("one", START))).refusal, "missing", "too early");
      equal(await projectStore.projects.departed(START + 1, 9), ["one"], "departed");
      await commit(purge("one", START + 1));
      equal(await projectStore.projects.byId("one"), undefined, "project");
      await addProject("two", { slug });
    },
  },
  {
    name: "what is done with a project after its account was deleted is told to nobody",
    run: async (open) => {
      const { store, addProject, rename, commit } = await openKennel(open);
      const from = await addProject("one");
      await store.commit([{ kind: "account.delete", accountId: "acc_one", at: START }]);
      const last = await store.events.last();
      equal((await rename(from, "another")).slug, "another", "renamed");
      await commit({ kind: "project.delete", projectId: "one", at: START });
      equal(await store.events.after(last, 9), [], "events");
    },
  },
  {
    name: "the projects of a deleted account depart at once, with slugs and deploys",
    run: async (open) => {
      const { store, projectStore, addProject, addDeploy, commit, refusal, releaseAll } =
        await openKennel(open);
      await addProject("one");
      await addDeploy("a");
      await store.commit([{ kind: "account.delete", accountId: "acc_one", at: START }]);
      equal(await projectStore.projects.departed(0, 9), ["one"], "departed");
      equal((await refusal(purge("one", 0))).refusal, "missing", "it has a deploy still");
      const deploy = { kind: "deploy.purge", projectId: "one", deployId: "a" } as const;
      await commit({ ...deploy, deletedBefore: 0 }, purge("one", 0));
      await releaseAll();
      equal(await projectStore.deploys.byId("one", "a"), undefined, "deploy");
      equal(await projectStore.projects.departed(0, 9), [], "nothing is left");
      equal((await projectStore.blobs.needed(["a-a"])).size, 0, "blobs");
    },
  },
  {
    name: "changes of projects are told to listeners and to other processes",
    run: async (open) => {
      const { store, addProject, rename, commit } = await openKennel(open);
      const [events, notices] = [await store.events.last(), await store.feed.last()];
      await rename(await addProject("one"), "renamed");
      await commit({ kind: "project.delete", projectId: "one", at: START });
      const restore = { kind: "project.restore", projectId: "one", at: START } as const;
      await commit({ ...restore, atMost: 9, deletedAfter: 0 });
      const told = await store.events.after(events, 9);
      equal(
        told.map(({ type, accountId, at, data }) => [type, accountId, at, data["projectId"]]),
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
        told.map(() => ["project", "one"]),
        "notices",
      );
    },
  },
];

const anAccountLike = {
  id: "acc_two",
  name: "Two",
  plan: "free",
  limits: { perMinute: 60, perDay: 1_000 },
  createdAt: START,
} as const;
