import { expect, test } from "bun:test";
import { plannedDatabase } from "../../../helpers/planned.ts";
import { sqlProjectStore } from "../../../../lib/publishing/storage/sql-project-store.ts";
import { sqliteSql } from "../../../../lib/sql/sqlite.ts";
import { sqlStore } from "../../../../lib/storage/sql-store.ts";
import { openProjectFixture } from "../../../../testing/projects/fixture.ts";
import { START } from "../../../../testing/shelter.ts";

/** Returns SQLite's query plans of the statements that `use` runs. */
async function plansOf(
  use: (kennel: Awaited<ReturnType<typeof openProjectFixture>>) => Promise<unknown>,
): Promise<readonly string[]> {
  const { database, plans } = plannedDatabase();
  const sql = sqliteSql({ database });
  const store = await sqlStore({ sql });
  const projectStore = await sqlProjectStore({ sql });
  const kennel = await openProjectFixture(async () => ({ store, projectStore }));
  const project = await kennel.addProject("one");
  await kennel.addDeploy("a");
  await kennel.addDeploy("b");
  await kennel.activate("a");
  // The activation was the second version.
  await kennel.rename({ ...project, version: 2 }, "renamed");
  // Those of the preparation.
  plans();
  await use(kennel);
  const ran = plans();
  await store.close();
  return ran;
}

const scans = (plans: readonly string[]): readonly string[] =>
  plans.filter((plan) => plan.startsWith("SCAN") && !plan.startsWith("SCAN CONSTANT"));

test("visitors' queries use an index", async () => {
  const plans = await plansOf(async ({ projectStore: { projects, deploys } }) => {
    await projects.bySlug("renamed", START);
    await projects.byId("one");
    await deploys.byId("one", "a");
    await deploys.manifest("one", "a");
    await deploys.superseded("one", START, 9);
  });
  expect(plans.length).toBeGreaterThan(5);
  expect(scans(plans)).toEqual([]);
});

test("owners' operations use an index, whatever the number of projects and deploys", async () => {
  const plans = await plansOf(async ({ projectStore, addProject, addDeploy, activate, commit }) => {
    await addProject("two");
    await addDeploy("c");
    await activate("c");
    await activate("a", true);
    await commit({ kind: "deploy.delete", projectId: "one", deployId: "c", at: START });
    await commit({ kind: "project.delete", projectId: "two", at: START });
    const restore = { kind: "project.restore", projectId: "two", atMost: 9, at: START } as const;
    await commit({ ...restore, deletedAfter: 0 });
    await projectStore.deploys.list("one", 9);
    await projectStore.deploys.before("one");
    await projectStore.projects.list({ accountId: "acc_one", deletedAfter: 0, limit: 9 });
  });
  expect(plans.length).toBeGreaterThan(20);
  expect(scans(plans)).toEqual([]);
  expect(plans.filter((plan) => plan.includes("TEMP B-TREE") && !plan.includes("place"))).toEqual(
    [],
  );
});

test("the jobs' queries use an index", async () => {
  const plans = await plansOf(async ({ projectStore: { deploys, blobs }, commit }) => {
    await deploys.stalled(START, 9);
    await blobs.needed(["a-a"]);
    await commit({ kind: "slugs.purge", now: START, limit: 9 });
  });
  expect(plans.length).toBeGreaterThan(2);
  expect(scans(plans)).toEqual([]);
});
