import { expect, test } from "bun:test";

import {
  type Bulk,
  changeEach,
  type Step,
} from "../../../../../dashboard/app/pages/animals/change-each.ts";
import { problem } from "../../../../../lib/base/problem.ts";
import { done, refused } from "../../../../../lib/base/result.ts";
import type { Pet } from "../../../../../lib/catalogue/model.ts";
import { newPet } from "../../../../../testing/shelter.ts";

const pets = Array.from({ length: 20 }, (_, index): Pet => ({ id: index + 1, ...newPet({}) }));
const gone = problem("not_found", "Gone.");

test("a refused animal does not stop the others, and a few are changed at a time", async () => {
  let running = 0;
  let most = 0;
  const seen: Bulk[] = [];
  const step: Step = async (before) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    return before.id % 5 === 0 ? refused(gone) : done({ before });
  };
  const bulk = await changeEach(pets, step, new AbortController().signal, (now) => seen.push(now));
  expect(most).toBe(4);
  expect(bulk.failed.map(({ pet, fault }) => [pet.id, fault])).toEqual(
    [5, 10, 15, 20].map((id) => [id, gone]),
  );
  expect(bulk.changed).toHaveLength(16);
  expect(seen.map(({ changed, failed }) => changed.length + failed.length)).toEqual(
    pets.map(({ id }) => id),
  );
});

test("a stopped change begins no further animal, and keeps what is done", async () => {
  const control = new AbortController();
  const begun: number[] = [];
  const step: Step = async (before) => {
    begun.push(before.id);
    await Promise.resolve();
    return done({ before });
  };
  const bulk = await changeEach(pets, step, control.signal, ({ changed }) => {
    if (changed.length === 6) control.abort();
  });
  expect(bulk.changed.length).toBe(begun.length);
  expect(begun.length).toBeLessThan(12);
});
