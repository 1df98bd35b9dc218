import { system } from "../../lib/model/actor.ts";
import { problem } from "../../lib/base/problem.ts";
import { blobNames } from "../../lib/publishing/model/deploy.ts";
import type { ProjectChange } from "../../lib/publishing/project-store.ts";
import { equal } from "../contract-case.ts";
import { START } from "../shelter.ts";
import {
  aDeploy,
  aManifest,
  created,
  projectStoreCases,
  type ProjectStoreCase,
  type ProjectFixture,
} from "./fixture.ts";

const failure = problem("unavailable", "It was interrupted.");

/** Deploys in progress and completed ones. */
export const deployCases: readonly ProjectStoreCase[] = projectStoreCases({
  "a created deploy is found in its own project only and listed newest first": async ({
    projectStore,
    addProject,
    commit,
  }) => {
    await addProject("one");
    const deploy = aDeploy("a", { message: "First", state: "processing", source: "starter" });
    await commit(created(deploy), created(aDeploy("b")));
    equal(await projectStore.deploys.byId("one", "a"), deploy, "deploy");
    equal(await projectStore.deploys.byId("two", "a"), undefined, "another project's");
    const listed = await projectStore.deploys.list("one", 9);
    equal(listed, [aDeploy("b"), deploy], "list");
    equal(await projectStore.deploys.list("one", 1), [aDeploy("b")], "at most");
  },

  "a deploy requires an undeleted project and room below the limit": async ({
    addProject,
    commit,
    refusal,
  }) => {
    equal((await refusal(created(aDeploy("a")))).refusal, "missing", "project");
    await addProject("one");
    await commit(created(aDeploy("a")));
    const more = { kind: "deploy.create", deploy: aDeploy("b"), atMost: 1 } as const;
    equal((await refusal({ ...more, aliveAfter: START - 1 })).refusal, "limit", "place");
    await commit({ ...more, aliveAfter: START });
    await commit({ kind: "project.delete", projectId: "one", at: START });
    equal((await refusal(created(aDeploy("c")))).refusal, "missing", "deleted");
  },

  "changes to deploys of a deleted account write no events": async ({
    store,
    projectStore,
    addProject,
    addDeploy,
    commit,
    refusal,
  }) => {
    await addProject("one");
    await addDeploy("old");
    await commit(created(aDeploy("a")), created(aDeploy("b")));
    await store.commit([{ kind: "account.delete", accountId: "acc_one", at: START }], system);
    const last = await store.events.last();
    await commit(
      { kind: "deploy.ready", deployId: "a", manifest: aManifest("x"), at: START },
      { kind: "deploy.fail", deployId: "b", failure, at: START },
      { kind: "deploy.expire", projectId: "one", deployId: "old", at: START },
    );
    const live = { projectId: "one", deployId: "a", back: false, at: START };
    equal((await refusal({ kind: "deploy.activate", ...live })).refusal, "missing", "activate");
    equal((await refusal(created(aDeploy("c")))).refusal, "missing", "create");
    equal((await projectStore.deploys.byId("one", "b"))?.state, "failed", "state");
    equal(await store.events.after(last, 9), [], "events");
  },

  "a ready deploy has its manifest, totals and blobs": async ({
    projectStore,
    addProject,
    commit,
  }) => {
    await addProject("one");
    await commit(created(aDeploy("a")));
    equal(await projectStore.deploys.manifest("one", "a"), undefined, "before");
    // More blobs than fit into one statement, some of them twice.
    const names = Array.from({ length: 137 }, (_, index) => `blob-${index % 130}`);
    const manifest = aManifest(...names);
    const blobs = blobNames(manifest);
    const [, ready] = await commit(
      { kind: "deploy.keep", deployId: "a", blobs },
      { kind: "deploy.ready", deployId: "a", manifest, at: START + 5 },
    );
    const counted = { files: 137, bytes: 1_370, readyAt: START + 5, touchedAt: START + 5 };
    equal(ready, aDeploy("a", { state: "ready", ...counted }), "outcome");
    equal(await projectStore.deploys.manifest("one", "a"), manifest, "manifest");
    equal(await projectStore.deploys.manifest("two", "a"), undefined, "another project's");
    const asked = ["blob-0", "blob-129", "blob-129-br", "blob-130"];
    equal(
      [...(await projectStore.blobs.needed(asked))].toSorted(),
      asked.slice(0, 3).toSorted(),
      "blobs",
    );
  },

  "the file of a photo is needed until no animal has the photo": async ({
    store,
    projectStore,
    accountId,
  }) => {
    const catalogue = await store.catalogues.of(accountId, "production");
    const of = { catalogueId: catalogue?.id ?? 0, petId: 1, at: START };
    const pet = { name: "Bella", categoryId: 1, status: "available" } as const;
    const photo = { hash: "photo-a", width: 1, height: 1, sizes: [], bytes: 1 };
    await store.commit(
      [
        { kind: "pet.create", ...of, pet },
        { kind: "photo.add", ...of, photo, maxBytes: 1 },
      ],
      system,
    );
    equal([...(await projectStore.blobs.needed(["photo-a", "b"]))], ["photo-a"], "needed");
    await store.commit([{ kind: "photo.remove", ...of, photoId: 1 }], system);
    equal((await projectStore.blobs.needed(["photo-a"])).size, 0, "removed");
  },

  "a ready or failed deploy is no longer in progress": async ({
    addProject,
    addDeploy,
    commit,
    refusal,
  }) => {
    await addProject("one");
    await addDeploy("a");
    await commit(created(aDeploy("b")));
    const fail = { kind: "deploy.fail", failure, at: START + 5 } as const;
    const [failed] = await commit({ ...fail, deployId: "b" });
    equal(failed, aDeploy("b", { state: "failed", failure, touchedAt: START + 5 }), "failed");
    for (const deployId of ["a", "b"]) {
      const touch = { kind: "deploy.touch", deployId, state: "processing", at: START } as const;
      equal((await refusal(touch)).refusal, "stale", "touched");
      equal((await refusal({ ...fail, deployId })).refusal, "stale", "failed");
      const keep = { kind: "deploy.keep", deployId, blobs: ["x"] } as const;
      equal((await refusal(keep)).refusal, "stale", "kept");
      const ready = { kind: "deploy.ready", deployId, manifest: aManifest(), at: START } as const;
      equal((await refusal(ready)).refusal, "stale", "ready");
    }
  },

  "a touched deploy does not count as interrupted": async ({
    projectStore,
    addProject,
    commit,
    refusal,
  }) => {
    await addProject("one");
    await commit(created(aDeploy("a")), created(aDeploy("b")));
    const touch = { kind: "deploy.touch", deployId: "a", at: START + 9 } as const;
    await commit({ ...touch, state: "processing" });
    const touched = aDeploy("a", { state: "processing", touchedAt: START + 9 });
    equal(await projectStore.deploys.byId("one", "a"), touched, "touched");
    equal(await projectStore.deploys.stalled(START + 9, 9), [aDeploy("b")], "stalled");
    const fail = { kind: "deploy.fail", failure, at: START, touchedBefore: START + 9 } as const;
    equal((await refusal({ ...fail, deployId: "a" })).refusal, "stale", "not touched since");
    await commit({ ...fail, deployId: "b" });
    equal(await projectStore.deploys.stalled(START + 9, 9), [], "no stalled ones");
  },

  "pins are stored and limited": async ({ addProject, addDeploy, commit, refusal }) => {
    await addProject("one");
    await addDeploy("a");
    await addDeploy("b");
    const pin = { kind: "deploy.pin", projectId: "one", atMost: 1, at: START } as const;
    const pinned = async (deployId: string, on: boolean): Promise<unknown> => {
      const [deploy] = await commit({ ...pin, deployId, pinned: on });
      return deploy !== undefined && "pinned" in deploy && deploy.pinned;
    };
    equal(await pinned("a", true), true, "pinned");
    equal(await pinned("a", true), true, "pinned again");
    equal((await refusal({ ...pin, deployId: "b", pinned: true })).refusal, "limit", "bound");
    equal(await pinned("a", false), false, "unpinned");
    equal(await pinned("b", true), true, "pinned instead");
    equal((await refusal({ ...pin, deployId: "x", pinned: false })).refusal, "missing", "unknown");
  },

  "changes to deploys write events, and visible ones write notices": async ({
    store,
    addProject,
    addDeploy,
    activate,
    commit,
  }) => {
    await addProject("one");
    const [events, notices] = [await store.events.last(), await store.feed.last()];
    const about = async (): Promise<readonly unknown[]> =>
      (await store.events.after(events, 99)).map(({ type, accountId, data }) => [
        type,
        accountId,
        data["deployId"],
      ]);
    await addDeploy("a");
    await commit(created(aDeploy("b")), {
      kind: "deploy.fail",
      deployId: "b",
      failure,
      at: START,
    });
    equal((await store.feed.after(notices, 9)).length, 0, "no visible change");
    await activate("a");
    const expire = { kind: "deploy.expire", projectId: "one", deployId: "b", at: START } as const;
    await commit(expire, expire);
    equal(
      await about(),
      [
        ["created", "a"],
        ["ready", "a"],
        ["created", "b"],
        ["failed", "b"],
        ["activated", "a"],
        ["deleted", "b"],
      ].map(([what, id]) => [`deploy.${what}`, "acc_one", id]),
      "events",
    );
    equal((await store.feed.after(notices, 9)).length, 2, "notices");
  },
});

/** Returns the live deploys by their state, and by their project. */
async function liveDeploys({
  projectStore,
}: Pick<ProjectFixture, "projectStore">): Promise<readonly unknown[]> {
  const deploys = await projectStore.deploys.list("one", 99);
  const states = deploys.filter(({ state }) => state === "live").map(({ id }) => id);
  return [states, (await projectStore.projects.byId("one"))?.liveDeployId];
}

/** Activations and rollbacks. */
export const activationCases: readonly ProjectStoreCase[] = projectStoreCases({
  "an activation makes one deploy live and the other superseded": async (fixture) => {
    const { projectStore, addProject, addDeploy, activate } = fixture;
    const { version } = await addProject("one");
    await addDeploy("a");
    await addDeploy("b");
    equal((await activate("a", false, START + 1)).activatedAt, START + 1, "activatedAt");
    await activate("b", false, START + 2);
    equal(await liveDeploys(fixture), [["b"], "b"], "live");
    const { state, supersededAt } = (await projectStore.deploys.byId("one", "a")) ?? {};
    equal([state, supersededAt], ["superseded", START + 2], "superseded");
    equal((await projectStore.projects.byId("one"))?.version, version + 2, "version");
    const again = await activate("a", false, START + 3);
    equal([again.state, again.supersededAt], ["live", undefined], "live again");
  },

  "an unfinished, unknown or foreign deploy cannot go live": async (fixture) => {
    const { addProject, addDeploy, activate, commit, refusal } = fixture;
    await addProject("one");
    await addProject("two");
    await addDeploy("a");
    await addDeploy("other", { projectId: "two" });
    await activate("a");
    await commit(created(aDeploy("making")));
    const change = { kind: "deploy.activate", projectId: "one", back: false, at: START } as const;
    for (const deployId of ["making", "other", "none"]) {
      equal((await refusal({ ...change, deployId })).refusal, "stale", deployId);
    }
    equal(await liveDeploys(fixture), [["a"], "a"], "live");
    await commit({ kind: "project.delete", projectId: "one", at: START });
    equal((await refusal({ ...change, deployId: "a" })).refusal, "missing", "deleted project");
  },

  "simultaneous activations leave exactly one deploy live": async (fixture) => {
    await fixture.addProject("one");
    const ids = Array.from("abcdefgh");
    for (const id of ids) await fixture.addDeploy(id);
    await Promise.all(ids.map((id) => fixture.activate(id)));
    const [states, pointer] = await liveDeploys(fixture);
    equal(states, [pointer], "live");
  },

  "a deploy that replaces a given one goes live only over that one": async (fixture) => {
    await fixture.addProject("one");
    for (const id of ["a", "b", "c"]) await fixture.addDeploy(id);
    const change = { kind: "deploy.activate", projectId: "one", back: false, at: START } as const;
    const over = async (deployId: string, replaces: string | null) =>
      (await fixture.refusal({ ...change, deployId, replaces })).refusal;
    equal(await over("a", "b"), "live", "none is live");
    await fixture.commit({ ...change, deployId: "a", replaces: null });
    equal(await over("b", null), "live", "one is live");
    equal(await over("b", "c"), "live", "another one is live");
    await fixture.commit({ ...change, deployId: "b", replaces: "a" });
    equal(await liveDeploys(fixture), [["b"], "b"], "live");
    await fixture.commit({ kind: "project.delete", projectId: "one", at: START });
    equal(await over("c", "b"), "missing", "deleted project");
  },

  "of simultaneous activations over one deploy, one succeeds": async (fixture) => {
    await fixture.addProject("one");
    const ids = Array.from("abcdefgh");
    for (const id of ids) await fixture.addDeploy(id);
    const commits = await Promise.all(
      ids.map((deployId) =>
        fixture.projectStore.commit(
          [
            {
              kind: "deploy.activate",
              projectId: "one",
              deployId,
              back: false,
              replaces: null,
              at: START,
            },
          ],
          system,
        ),
      ),
    );
    equal(commits.filter(({ ok }) => ok).length, 1, "successes");
    const [states, pointer] = await liveDeploys(fixture);
    equal(states, [pointer], "live");
  },

  "the live deploy cannot be deleted": async (fixture) => {
    await fixture.addProject("one");
    await fixture.addDeploy("a");
    await fixture.activate("a");
    const change = { kind: "deploy.delete", projectId: "one", deployId: "a" } as const;
    equal((await fixture.refusal({ ...change, at: START })).refusal, "live", "refusal");
    equal(await liveDeploys(fixture), [["a"], "a"], "live");
  },

  "rollbacks go back through published deploys and skip those rolled back from": async ({
    projectStore,
    addProject,
    addDeploy,
    activate,
  }) => {
    await addProject("one");
    for (const id of ["a", "b", "c", "d"]) await addDeploy(id);
    const before = async (): Promise<string | undefined> =>
      (await projectStore.deploys.before("one"))?.id;
    equal(await before(), undefined, "nothing is live");
    for (const id of ["a", "b", "c"]) await activate(id);
    equal(await before(), "b", "before c");
    await activate("b", true);
    equal(await before(), "a", "before b, after the rollback");
    await activate("d");
    equal(await before(), "b", "before d");
    await activate("a", true);
    equal(await before(), undefined, "before the first one");
    await activate("c");
    equal(await before(), "a", "a rolled-back deploy, published again");
  },

  "superseded deploys are listed latest first": async ({
    projectStore,
    addProject,
    addDeploy,
    activate,
  }) => {
    await addProject("one");
    for (const id of ["never", "a", "b", "c"]) await addDeploy(id);
    for (const [index, id] of ["a", "b", "c"].entries()) await activate(id, false, START + index);
    const superseded = async (since: number, limit: number): Promise<readonly string[]> =>
      (await projectStore.deploys.superseded("one", since, limit)).map(({ id }) => id);
    equal(await superseded(START, 9), ["b", "a"], "all");
    equal(await superseded(START + 2, 9), ["b"], "since");
    equal(await superseded(START, 1), ["b"], "at most");
  },
});

const remove = (deployId: string, kind: "deploy.delete" | "deploy.expire"): ProjectChange => ({
  kind,
  projectId: "one",
  deployId,
  at: START,
});

/** Deletion, retention and the release of blobs. */
export const removalCases: readonly ProjectStoreCase[] = projectStoreCases({
  "a deleted deploy disappears with the blobs that only it uses": async ({
    projectStore,
    addProject,
    addDeploy,
    commit,
    refusal,
    releaseAll,
  }) => {
    await addProject("one");
    await commit(created(aDeploy("making")));
    await addDeploy("a");
    const shared = { kind: "deploy.ready", deployId: "making", at: START } as const;
    equal((await refusal(remove("making", "deploy.delete"))).refusal, "stale", "in progress");
    const keep = { kind: "deploy.keep", deployId: "making", blobs: ["a-a"] } as const;
    await commit(keep, { ...shared, manifest: aManifest("a-a") });
    await commit(remove("a", "deploy.delete"));
    equal(await projectStore.blobs.unreleased(), "a", "to be released");
    await releaseAll();
    equal(await projectStore.blobs.unreleased(), undefined, "released");
    equal(await projectStore.deploys.byId("one", "a"), undefined, "deploy");
    equal(await projectStore.deploys.manifest("one", "a"), undefined, "manifest");
    const needed = await projectStore.blobs.needed(["a-a", "a-b", "a-b-br"]);
    equal([...needed], ["a-a"], "blobs");
    equal((await refusal(remove("a", "deploy.delete"))).refusal, "missing", "a second time");
  },

  "blobs of a deploy in progress stay, and those of a failed one are released in batches": async ({
    projectStore,
    addProject,
    commit,
  }) => {
    await addProject("one");
    await commit(created(aDeploy("a")));
    const blobs = ["x", "y", "z"];
    await commit({ kind: "deploy.keep", deployId: "a", blobs });
    await commit({ kind: "deploy.keep", deployId: "a", blobs });
    const release = { kind: "deploy.release", deployId: "a", limit: 2 } as const;
    await commit(release);
    equal([...(await projectStore.blobs.needed(blobs))].toSorted(), blobs, "in progress");
    await commit({ kind: "deploy.fail", deployId: "a", failure, at: START });
    equal((await projectStore.blobs.needed(blobs)).size, 3, "not released yet");
    await commit(release);
    equal((await projectStore.blobs.needed(blobs)).size, 1, "one batch");
    equal(await projectStore.blobs.unreleased(), "a", "not all of it");
    await commit(release);
    equal((await projectStore.blobs.needed(blobs)).size, 0, "all of it");
    equal(await projectStore.blobs.unreleased(), undefined, "done");
  },

  "retention keeps deploys that are pinned, live or in progress": async ({
    projectStore,
    addProject,
    addDeploy,
    activate,
    commit,
    releaseAll,
  }) => {
    await addProject("one");
    for (const id of ["pinned", "live", "old"]) await addDeploy(id);
    await commit(created(aDeploy("making")));
    const pin = { kind: "deploy.pin", projectId: "one", atMost: 1, at: START } as const;
    await commit({ ...pin, deployId: "pinned", pinned: true });
    await activate("live");
    const all = ["pinned", "live", "old", "making", "unknown"];
    await commit(...all.map((id) => remove(id, "deploy.expire")));
    const left = (await projectStore.deploys.list("one", 9)).map(({ id }) => id);
    equal(left, ["making", "live", "pinned"], "left");
    await releaseAll();
    equal((await projectStore.blobs.needed(["old-a", "live-a", "pinned-a"])).size, 2, "blobs");
  },

  "deploys of undeleted projects are not purged": async ({
    projectStore,
    addProject,
    addDeploy,
    commit,
    releaseAll,
  }) => {
    await addProject("one");
    await addDeploy("a");
    const purge = { kind: "deploy.purge", projectId: "one", deployId: "a" } as const;
    await commit({ ...purge, deletedBefore: START + 9 });
    equal((await projectStore.deploys.byId("one", "a"))?.id, "a", "of an undeleted project");
    equal((await projectStore.blobs.needed(["a-a"])).size, 1, "its blobs");
    await commit({ kind: "project.delete", projectId: "one", at: START });
    await commit({ ...purge, deletedBefore: START + 1 });
    await releaseAll();
    equal(await projectStore.deploys.byId("one", "a"), undefined, "of a deleted one");
    equal((await projectStore.blobs.needed(["a-a"])).size, 0, "its blobs");
  },
});
