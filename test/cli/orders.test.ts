import { afterEach, beforeEach, expect, test } from "bun:test";

import { openOffice, type Office } from "../helpers/management.ts";
import { commandLine, type CommandLine } from "./typed.ts";

let office: Office;
let line: CommandLine;
let of: readonly string[];

beforeEach(async () => {
  office = await openOffice();
  line = await commandLine(office);
  of = ["--account", office.accountId];
  const at = `/manage/v1/accounts/${office.accountId}/production`;
  await office.as("staff").post(`${at}/pets`, { name: "Rex", categoryId: 1, status: "pending" });
  await office.as("staff").patch(`${at}/pets/1`, { status: "sold" });
});

afterEach(() => {
  line[Symbol.dispose]();
});

test("orders are listed, moved on, and know who adopted", async () => {
  expect((await line.type("orders", "list", ...of)).stdout).toMatch(/^ORDER +PET.*\n1 +1 +placed/);
  await line.type("orders", "set", "1", ...of, "--adopter", "Kim", "--date", "2026-11-20");
  const set = ["orders", "set", "1", ...of] as const;
  expect(await line.json<object>(...set, "--status", "delivered")).toMatchObject({
    status: "delivered",
    statusBefore: "pending",
    adopter: { name: "Kim", date: "2026-11-20" },
  });
  const shown = await line.type(...set, "--contact", "kim@example.com");
  expect(shown.stdout).toMatch(/Kim +kim@example\.com +2026-11-20/);
  expect(await line.json<object>(...set, "--no-adopter")).not.toHaveProperty("adopter");
  expect(await line.type(...set, "--no-adopter", "--adopter", "Kim")).toMatchObject({
    exitCode: 2,
  });
  expect(await line.json<readonly object[]>("orders", "list", ...of, "--status", "placed")).toEqual(
    [],
  );
});

test("a return and a removal change the animal, and a removal is confirmed", async () => {
  const pet = async (): Promise<unknown> =>
    (await office.as("staff").get(`/manage/v1/accounts/${office.accountId}/production/pets/1`))
      .body;
  const unsure = await line.type("orders", "remove", "1", ...of);
  expect([unsure.exitCode, unsure.stderr]).toEqual([
    2,
    "petstore: Not a terminal: pass --yes to confirm.\n",
  ]);
  expect((await line.type("orders", "remove", "1", ...of, "--yes")).exitCode).toBe(0);
  expect(await pet()).toMatchObject({ status: "pending" });
  expect((await line.type("orders", "list", ...of)).stderr).toBe("No orders.\n");
  const gone = await line.type("orders", "return", "1", ...of);
  expect([gone.exitCode, gone.stderr]).toEqual([4, 'petstore: There is no order "1".\n']);
});

test("a return is recorded in the order", async () => {
  const returned = await line.json<{ readonly returnedAt?: string }>(
    "orders",
    "return",
    "1",
    ...of,
  );
  expect(returned.returnedAt).toBeString();
});
