import { problem } from "../../base/problem.ts";
import { blobNames } from "../../publishing/model/deploy.ts";
import { equal } from "../assert.ts";
import { START } from "../shelter.ts";
import type { ProjectStoreCase } from "./case.ts";
import { aDeploy, aManifest, created, openKennel } from "./kennel.ts";

const failure = problem("unavailable", "It was interrupted.");

/** Promises about deploys while they are made and kept, but for which one is live. */
export const deployCases: readonly ProjectStoreCase[] = [
  {
    name: "a deploy is found as it was made, in its own project alone, and listed newest first",
    run: async (open) => {
      const { projectStore, addProject, commit } = await openKennel(open);
      await addProject("one");
      const deploy = aDeploy("a", { message: "First", state: "processing", source: "starter" });
      await commit(created(deploy), created(aDeploy("b")));
      equal(await projectStore.deploys.byId("one", "a"), deploy, "deploy");
      equal(await projectStore.deploys.byId("two", "a"), undefined, "another project's");
      const listed = await projectStore.deploys.list("one", 9);
      equal(listed, [aDeploy("b"), deploy], "list");
      equal(await projectStore.deploys.list("one", 1), [aDeploy("b")], "at most");
    },
  },
  {
    name: "a deploy needs a project that is not deleted, and a place among those being made",
    run: async (open) => {
      const { addProject, commit, refusal } = await openKennel(open);
      equal((await refusal(created(aDeploy("a")))).refusal, "missing", "project");
      await addProject("one");
      await commit(created(aDeploy("a")));
      const more = { kind: "deploy.create", deploy: aDeploy("b"), atMost: 1 } as const;
      equal((await refusal({ ...more, aliveAfter: START - 1 })).refusal, "limit", "place");
      await commit({ ...more, aliveAfter: START });
      await commit({ kind: "project.delete", projectId: "one", at: START });
      equal((await refusal(created(aDeploy("c")))).refusal, "missing", "deleted");
    },
  },
  {
    name: "what becomes of a deploy whose account is gone is told to nobody",
    run: async (open) => {
      const { store, projectStore, addProject, addDeploy, commit, refusal } =
        await openKennel(open);
      await addProject("one");
      await addDeploy("old");
      await commit(created(aDeploy("a")), created(aDeploy("b")));
      await store.commit([{ kind: "account.delete", accountId: "acc_one", at: START }]);
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
  },
  {
    name: "a deploy that is ready has its manifest, its numbers and its blobs",
    run: async (open) => {
      const { projectStore, addProject, commit } = await openKennel(open);
      await addProject("one");
      await commit(created(aDeploy("a")));
      equal(await projectStore.deploys.manifest("one", "a"), undefined, "before");
      // More blobs than one statement takes, some of them twice.
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
  },
  {
    name: "what is ready or has failed is not being made any more",
    run: async (open) => {
      const { addProject, addDeploy, commit, refusal } = await openKennel(open);
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
  },
  {
    name: "a deploy that gives signs of life is not taken for interrupted",
    run: async (open) => {
      const { projectStore, addProject, commit, refusal } = await openKennel(open);
      await addProject("one");
      await commit(created(aDeploy("a")), created(aDeploy("b")));
      const touch = { kind: "deploy.touch", deployId: "a", at: START + 9 } as const;
      await commit({ ...touch, state: "processing" });
      const touched = aDeploy("a", { state: "processing", touchedAt: START + 9 });
      equal(await projectStore.deploys.byId("one", "a"), touched, "touched");
      equal(await projectStore.deploys.silent(START + 9, 9), [aDeploy("b")], "silent");
      const fail = { kind: "deploy.fail", failure, at: START, silentSince: START + 9 } as const;
      equal((await refusal({ ...fail, deployId: "a" })).refusal, "stale", "failed after all");
      await commit({ ...fail, deployId: "b" });
      equal(await projectStore.deploys.silent(START + 9, 9), [], "silent ones");
    },
  },
  {
    name: "pinning is remembered and has a bound",
    run: async (open) => {
      const { addProject, addDeploy, commit, refusal } = await openKennel(open);
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
      equal(await pinned("b", true), true, "in its place");
      equal(
        (await refusal({ ...pin, deployId: "x", pinned: false })).refusal,
        "missing",
        "unknown",
      );
    },
  },
  {
    name: "what happens to deploys is told to listeners, what visitors would see to other processes",
    run: async (open) => {
      const { store, addProject, addDeploy, activate, commit } = await openKennel(open);
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
      equal((await store.feed.after(notices, 9)).length, 0, "nothing to see yet");
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
  },
];
