import { expect, test } from "bun:test";

import { projectOf } from "../../../../../dashboard/app/pages/projects/events.ts";

test.each([
  [{ type: "deploy.ready", data: { projectId: "prj_1", state: "ready" } }, "prj_1"],
  [{ type: "pet.created", data: { pet: {} } }, undefined],
  [{ type: "x", data: { projectId: 7 } }, undefined],
  [{ type: "x", data: null }, undefined],
  [undefined, undefined],
  ["text", undefined],
])("the project of %j is %p", (event, project) => {
  expect(projectOf(event)).toBe(project);
});
