import { expect, test } from "bun:test";
import {
  type Deploy,
  canBecome,
  isUnfinished,
  KEPT_DEPLOYS,
  surplusDeploys,
} from "../../../../lib/publishing/model/deploy.ts";
import { deployStates, type DeployState } from "../../../../lib/model/deploy-states.ts";
import { aDeploy } from "../../../../testing/projects/fixture.ts";
import { chance } from "../../../helpers/chance.ts";

const many = (count: number, state: DeployState): readonly Deploy[] =>
  Array.from({ length: count }, (_, index) => aDeploy(`${state}-${index}`, { state }));

const ids = (deploys: readonly Deploy[]): readonly string[] => deploys.map(({ id }) => id);

test("the last 20 finished deploys stay, including failed ones", () => {
  const deploys = [...many(15, "failed"), ...many(7, "superseded")];
  expect(ids(surplusDeploys(deploys))).toEqual(["superseded-5", "superseded-6"]);
});

test("live, pinned and unfinished deploys stay, however old", () => {
  const pinned = aDeploy("pinned", { state: "superseded", pinned: true });
  const old = [...many(1, "live"), pinned, ...many(1, "uploading"), ...many(1, "ready")];
  expect(ids(surplusDeploys([...many(20, "failed"), ...old]))).toEqual(["ready-0"]);
});

test("only removable deploys older than 20 finished ones are removed", () => {
  const dice = chance();
  for (let round = 0; round < 500; round++) {
    const deploys = Array.from({ length: dice.between(0, 60) }, (_, index) =>
      aDeploy(`${index}`, {
        state: dice.pick(deployStates),
        pinned: dice.true(0.2),
      }),
    );
    const gone = surplusDeploys(deploys);
    const left = deploys.filter((deploy) => !gone.includes(deploy));
    for (const deploy of gone) {
      expect([deploy.pinned, deploy.state === "live", isUnfinished(deploy.state)]).not.toContain(
        true,
      );
      const newer = deploys.slice(0, deploys.indexOf(deploy));
      expect(newer.filter(({ state }) => !isUnfinished(state)).length).toBeGreaterThanOrEqual(
        KEPT_DEPLOYS,
      );
    }
    const ended = left.filter(
      ({ state, pinned: kept }) => !isUnfinished(state) && state !== "live" && !kept,
    );
    expect(ended.length).toBeLessThanOrEqual(KEPT_DEPLOYS);
    expect(surplusDeploys(left)).toEqual([]);
  }
});

test("every deploy is ready before it is live, and a failed one stays failed", () => {
  const dice = chance();
  for (let round = 0; round < 500; round++) {
    let state: DeployState = "uploading";
    const way: DeployState[] = [state];
    for (let step = 0; step < 12; step++) {
      const next = dice.pick(deployStates);
      if (canBecome(state, next)) way.push((state = next));
    }
    if (way.includes("live")) {
      expect(way.slice(0, 4)).toEqual(["uploading", "processing", "ready", "live"]);
    }
    if (way.includes("failed")) expect(way.at(-1)).toBe("failed");
  }
});
