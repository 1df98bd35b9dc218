import { expect, test } from "bun:test";

import { sameProject } from "../../../domains/http/same-project.ts";

const projects = new Map([
  ["one.test", "p1"],
  ["www.one.test", "p1"],
  ["two.test", "p2"],
]);

const same = sameProject({
  byHost: (host) => {
    const projectId = projects.get(host);
    return projectId === undefined
      ? undefined
      : { kind: "site", projectId, slug: projectId, hstsSeconds: 0 };
  },
});

test.each([
  ["one.test", "www.one.test", true],
  ["one.test", "two.test", false],
  ["one.test", "unknown.test", false],
  ["unknown.test", "one.test", false],
  ["unknown.test", "other.test", false],
])("%s and %s are of one project: %p", (serverName, host, expected) => {
  expect(same(serverName, host)).toBe(expected);
});
