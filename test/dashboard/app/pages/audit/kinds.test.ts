import { expect, test } from "bun:test";

import { groupsOf, hrefOf } from "../../../../../dashboard/app/pages/audit/kinds.ts";
import { recordedTypes } from "../../../../../lib/model/audit-types.ts";

test("every type belongs to one group of the filter", () => {
  const groups = groupsOf(recordedTypes);
  const counts = recordedTypes.map((type) => [
    type,
    groups.filter(({ types }) => types.includes(type)).length,
  ]);
  expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
});

test("subjects lead to their pages, and unknown ones nowhere", () => {
  expect(hrefOf("acc_1", "pet:7")).toBe("/accounts/acc_1/animals/7");
  expect(hrefOf("acc_1", "project:prj_1")).toBe("/projects/prj_1");
  expect(hrefOf("acc_1", "moon:7")).toBeUndefined();
});
