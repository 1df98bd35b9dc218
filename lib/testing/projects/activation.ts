import { equal } from "../assert.ts";
import { START } from "../shelter.ts";
import type { ProjectStoreCase, ProjectStores } from "./case.ts";
import { aDeploy, created, openKennel } from "./kennel.ts";

/** Which deploys are live, by their own state and by their project's word. */
async function live({ projectStore }: ProjectStores): Promise<readonly unknown[]> {
  const deploys = await projectStore.deploys.list("one", 99);
  const states = deploys.filter(({ state }) => state === "live").map(({ id }) => id);
  return [states, (await projectStore.projects.byId("one"))?.liveDeployId];
}

/** Promises about the one deploy that is live. */
export const activationCases: readonly ProjectStoreCase[] = [
  {
    name: "an activation makes one deploy live and the other superseded",
    run: async (open) => {
      const kennel = await openKennel(open);
      const { projectStore, addProject, addDeploy, activate } = kennel;
      const { version } = await addProject("one");
      await addDeploy("a");
      await addDeploy("b");
      equal((await activate("a", false, START + 1)).activatedAt, START + 1, "activatedAt");
      await activate("b", false, START + 2);
      equal(await live(kennel), [["b"], "b"], "live");
      const { state, supersededAt } = (await projectStore.deploys.byId("one", "a")) ?? {};
      equal([state, supersededAt], ["superseded", START + 2], "superseded");
      equal((await projectStore.projects.byId("one"))?.version, version + 2, "version");
      const again = await activate("a", false, START + 3);
      equal([again.state, again.supersededAt], ["live", undefined], "live again");
    },
  },
  {
    name: "what is not ready, not there or of another project does not become live",
    run: async (open) => {
      const kennel = await openKennel(open);
      const { addProject, addDeploy, activate, commit, refusal } = kennel;
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
      equal(await live(kennel), [["a"], "a"], "live");
      await commit({ kind: "project.delete", projectId: "one", at: START });
      equal((await refusal({ ...change, deployId: "a" })).refusal, "missing", "deleted project");
    },
  },
  {
    name: "of activations at once exactly one deploy is live in the end",
    run: async (open) => {
      const kennel = await openKennel(open);
      await kennel.addProject("one");
      const ids = Array.from("abcdefgh");
      for (const id of ids) await kennel.addDeploy(id);
      await Promise.all(ids.map((id) => kennel.activate(id)));
      const [states, pointer] = await live(kennel);
      equal(states, [pointer], "live");
    },
  },
  {
    name: "the live deploy cannot be deleted",
    run: async (open) => {
      const kennel = await openKennel(open);
      await kennel.addProject("one");
      await kennel.addDeploy("a");
      await kennel.activate("a");
      const change = { kind: "deploy.delete", projectId: "one", deployId: "a" } as const;
      equal((await kennel.refusal({ ...change, at: START })).refusal, "live", "refusal");
      equal(await live(kennel), [["a"], "a"], "live");
    },
  },
  {
    name: "going back leads through what was published, and never to what one went back from",
    run: async (open) => {
      const { projectStore, addProject, addDeploy, activate } = await openKennel(open);
      await addProject("one");
      for (const id of ["a", "b", "c", "d"]) await addDeploy(id);
      const before = async (): Promise<string | undefined> =>
        (await projectStore.deploys.before("one"))?.id;
      equal(await before(), undefined, "nothing is live");
      for (const id of ["a", "b", "c"]) await activate(id);
      equal(await before(), "b", "before c");
      await activate("b", true);
      equal(await before(), "a", "before b, which one went back to");
      await activate("d");
      equal(await before(), "b", "before d");
      await activate("a", true);
      equal(await before(), undefined, "before the first one");
      await activate("c");
      equal(await before(), "a", "what one went back from, published anew");
    },
  },
  {
    name: "deploys that ceased to be live are told from others, the last ones first",
    run: async (open) => {
      const { projectStore, addProject, addDeploy, activate } = await openKennel(open);
      await addProject("one");
      for (const id of ["never", "a", "b", "c"]) await addDeploy(id);
      for (const [index, id] of ["a", "b", "c"].entries()) await activate(id, false, START + index);
      const superseded = async (since: number, limit: number): Promise<readonly string[]> =>
        (await projectStore.deploys.superseded("one", since, limit)).map(({ id }) => id);
      equal(await superseded(START, 9), ["b", "a"], "all");
      equal(await superseded(START + 2, 9), ["b"], "since");
      equal(await superseded(START, 1), ["b"], "at most");
    },
  },
];
