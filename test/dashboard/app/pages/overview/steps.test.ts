import { expect, test } from "bun:test";

import { stepsOf } from "../../../../../dashboard/app/pages/overview/steps.ts";

const fresh = { animals: false, site: false, key: false, domain: false };

test("the first step that is not done is the next one", () => {
  const steps = stepsOf({ ...fresh, animals: true, key: true }) ?? [];
  expect(steps.map(({ name, done, next }) => [name, done, next])).toEqual([
    ["animals", true, false],
    ["site", false, true],
    ["domain", false, false],
    ["key", true, false],
  ]);
});

test("an account that has taken all steps is shown none", () => {
  expect(stepsOf({ animals: true, site: true, key: true, domain: true })).toEqual([]);
});

test("no steps are shown until all of them are known", () => {
  expect(stepsOf({ ...fresh, domain: undefined })).toBeUndefined();
});
