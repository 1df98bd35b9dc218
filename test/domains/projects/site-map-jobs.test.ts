import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import type { Problem } from "../../../lib/base/problem.ts";
import { problem } from "../../../lib/base/problem.ts";
import { done, refused, type Result } from "../../../lib/base/result.ts";
import { silentLog } from "../../../lib/base/log.ts";
import { siteMapJobs } from "../../../domains/projects/site-maps.ts";
import { saving } from "../../helpers/domains/rows.ts";
import { type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const open = worlds();

function working(
  { domains, store, clock }: World,
  answer: (projectId: string) => Result<undefined, Problem> = () => done(undefined),
) {
  const applied: string[] = [];
  const apply = async (projectId: string) => {
    applied.push(projectId);
    return answer(projectId);
  };
  const jobs = siteMapJobs({ apply, domains, store, clock, log: silentLog });
  return { jobs, applied };
}

test("a deploy that went live before the start is found, once", async () => {
  const world = await open();
  for (let number = 1; number <= 250; number++) await world.add(number);
  await world.add(999, { projectId: "own:petstore.example" });
  const { jobs, applied } = working(world);
  for (let round = 0; round < 6; round++) await jobs.tick();
  expect(applied).toHaveLength(250);
  expect(new Set(applied).size).toBe(250);
});

test("a new live deploy and a newly verified domain are noticed", async () => {
  const world = await open();
  const domain = await world.add(1);
  const { jobs, applied } = working(world);
  await jobs.tick();
  await jobs.tick();
  applied.length = 0;
  await world.domains.commit([saving(domain, {})], system);
  await jobs.tick();
  expect(applied).toEqual([]);
  await world.domains.commit([saving(await world.domain(domain.id), { heldSince: 1 })], system);
  await jobs.tick();
  expect(applied).toEqual(["prj_1"]);
});

test("a map that was refused or failed is retried, without delaying others", async () => {
  const world = await open();
  for (const number of [1, 2, 3]) await world.add(number);
  let bad = true;
  const { jobs, applied } = working(world, (projectId) => {
    if (bad && projectId === "prj_1") throw new Error("no reason");
    return bad && projectId === "prj_2"
      ? refused(problem("unavailable", "Others are faster."))
      : done(undefined);
  });
  await jobs.tick();
  expect(applied).toEqual(["prj_1", "prj_2", "prj_3"]);
  bad = false;
  await jobs.tick();
  await jobs.tick();
  expect(applied.slice(3)).toEqual(["prj_1", "prj_2"]);
});
