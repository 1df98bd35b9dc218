import { expect, test } from "bun:test";

import { connectionsAllowed } from "../../server/listeners/plain-http2.ts";

const limits = (soft: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${soft.padEnd(20)} ${soft}               files\n`;

test.each([
  ["65536", 10_000],
  ["31000", 10_000],
  ["16000", 5_000],
  ["1024", 100],
  ["unlimited", 10_000],
])("with %s open files, %d connections are allowed", (soft, connections) => {
  expect(connectionsAllowed(limits(soft))).toBe(connections);
});

test("without a known limit of open files, the default number of connections is allowed", () => {
  expect(connectionsAllowed("")).toBe(10_000);
});
