import { problem } from "../../base/problem.ts";
import type { ProjectChange } from "../../publishing/project-store.ts";
import { equal } from "../assert.ts";
import { START } from "../shelter.ts";
import type { ProjectStoreCase } from "./case.ts";
import { aDeploy, aManifest, created, openKennel } from "./kennel.ts";

const failure = problem("unavailable", "It was interrupted.");
const remove = (deployId: string, kind: "deploy.delete" | "deploy.expire"): ProjectChange => ({
  kind,
  projectId: "one",
  deployId,
  at: START,
});

/** Promises about deploys that go, and about what they leave behind. */
export const removalCases: readonly ProjectStoreCase[] = [
  {
    name: "a deleted deploy is gone with what only it needs",
    run: async (open) => {
      const { projectStore, addProject, addDeploy, commit, refusal, releaseAll } =
        await openKennel(open);
      await addProject("one");
      await commit(created(aDeploy("making")));
      await addDeploy("a");
      const shared = { kind: "deploy.ready", deployId: "making", at: START } as const;
      equal((await refusal(remove("making", "deploy.delete"))).refusal, "stale", "being made");
      const keep = { kind: "deploy.keep", deployId: "making", blobs: ["a-a"] } as const;
      await commit(keep, { ...shared, manifest: aManifest("a-a") });
      await commit(remove("a", "deploy.delete"));
      equal(await projectStore.blobs.departed(), "a", "to be released");
      await releaseAll();
      equal(await projectStore.blobs.departed(), undefined, "released");
      equal(await projectStore.deploys.byId("one", "a"), undefined, "deploy");
      equal(await projectStore.deploys.manifest("one", "a"), undefined, "manifest");
      const needed = await projectStore.blobs.needed(["a-a", "a-b", "a-b-br"]);
      equal([...needed], ["a-a"], "blobs");
      equal((await refusal(remove("a", "deploy.delete"))).refusal, "missing", "a second time");
    },
  },
  {
    name: "blobs of what is being made are kept, and of what has failed released by slices",
    run: async (open) => {
      const { projectStore, addProject, commit } = await openKennel(open);
      await addProject("one");
      await commit(created(aDeploy("a")));
      const blobs = ["x", "y", "z"];
      await commit({ kind: "deploy.keep", deployId: "a", blobs });
      await commit({ kind: "deploy.keep", deployId: "a", blobs });
      const release = { kind: "deploy.release", deployId: "a", limit: 2 } as const;
      await commit(release);
      equal([...(await projectStore.blobs.needed(blobs))].toSorted(), blobs, "being made");
      await commit({ kind: "deploy.fail", deployId: "a", failure, at: START });
      equal((await projectStore.blobs.needed(blobs)).size, 3, "not released yet");
      await commit(release);
      equal((await projectStore.blobs.needed(blobs)).size, 1, "one slice");
      equal(await projectStore.blobs.departed(), "a", "not all of it");
      await commit(release);
      equal((await projectStore.blobs.needed(blobs)).size, 0, "all of it");
      equal(await projectStore.blobs.departed(), undefined, "done");
    },
  },
  {
    name: "retention takes nothing that was pinned, published or is being made meanwhile",
    run: async (open) => {
      const { projectStore, addProject, addDeploy, activate, commit, releaseAll } =
        await openKennel(open);
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
  },
  {
    name: "a purge of deploys stops at projects that are not gone",
    run: async (open) => {
      const { projectStore, addProject, addDeploy, commit, releaseAll } = await openKennel(open);
      await addProject("one");
      await addDeploy("a");
      const purge = { kind: "deploy.purge", projectId: "one", deployId: "a" } as const;
      await commit({ ...purge, deletedBefore: START + 9 });
      equal((await projectStore.deploys.byId("one", "a"))?.id, "a", "of a living project");
      equal((await projectStore.blobs.needed(["a-a"])).size, 1, "its blobs");
      await commit({ kind: "project.delete", projectId: "one", at: START });
      await commit({ ...purge, deletedBefore: START + 1 });
      await releaseAll();
      equal(await projectStore.deploys.byId("one", "a"), undefined, "of a deleted one");
      equal((await projectStore.blobs.needed(["a-a"])).size, 0, "its blobs");
    },
  },
];
