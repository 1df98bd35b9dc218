import { expect, test } from "bun:test";

import { endingOf } from "./deadline.ts";

test("a process that ends in time is not stopped", async () => {
  const child = Bun.spawn(["sh", "-c", "exit 3"]);
  expect(await endingOf(child, 60_000)).toEqual({ exitCode: 3, killed: false });
});

test("a process that does not end is stopped", async () => {
  const child = Bun.spawn(["sleep", "60"]);
  expect(await endingOf(child, 1)).toMatchObject({ killed: true });
  expect(child.signalCode).toBe("SIGTERM");
});

test("a process killed by another one counts as killed", async () => {
  const child = Bun.spawn(["sleep", "60"]);
  child.kill("SIGKILL");
  expect(await endingOf(child, 60_000)).toMatchObject({ killed: true });
});
