import { afterEach, beforeEach, expect, test } from "bun:test";

import { isoTime } from "../../lib/base/clock.ts";
import { openOffice, type Office } from "../helpers/management.ts";
import { commandLine, type CommandLine } from "./typed.ts";

let office: Office;
let line: CommandLine;
let of: readonly string[];

beforeEach(async () => {
  office = await openOffice();
  line = await commandLine(office);
  of = ["--account", office.accountId];
});

afterEach(() => {
  line[Symbol.dispose]();
});

async function run(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    office.clock.advance(1_000);
    await office.webhooks.jobs.tick();
  }
}

const create = async (...more: readonly string[]): Promise<string> => {
  const made = await line.json<{ id: string }>(
    ...["webhooks", "create", "https://hooks.example/in", ...of, ...more],
  );
  return made.id;
};

test("only the secret of a new webhook goes to stdout", async () => {
  const made = await line.type("webhooks", "create", "https://hooks.example/in", ...of);
  expect(made.stdout).toMatch(/^whsec_[\w+/]{43}=\n$/);
  expect(made.stderr).toMatch(
    /^Webhook wh_\w{12} to https:\/\/hooks\.example\/in\. Its secret is shown only once:\n$/,
  );
  expect((await line.type("webhooks", "list", ...of)).stdout).toMatch(
    /^WEBHOOK +STATUS +WAITING +EVENTS +URL\nwh_\w{12} +enabled +0 +all +https:\/\/hooks\.example\/in\n$/,
  );
});

test("without --account, webhooks are the installation's", async () => {
  await line.type("webhooks", "create", "https://hooks.example/all");
  expect((await line.type("webhooks", "list")).stdout).toContain("https://hooks.example/all");
  expect((await line.type("webhooks", "list", ...of)).stderr).toBe("No webhooks.\n");
});

test("a webhook is changed, disabled, enabled and removed", async () => {
  const id = await create("--type", "pet.created,pet.deleted", "--environment", "production");
  const shown = await line.type("webhooks", "show", id, ...of);
  expect(shown.stdout).toContain("Types: pet.created, pet.deleted\nEnvironment: production\n");
  const set = (...more: readonly string[]) =>
    line.json<object>("webhooks", "set", id, ...of, ...more);
  const widened = await set("--type", "all", "--environment", "both", "--description", "News");
  expect(widened).toMatchObject({ description: "News" });
  expect(widened).not.toHaveProperty("types");
  expect(await set("--disable")).toMatchObject({ status: "disabled", disabledReason: "manual" });
  expect(await set("--enable")).toMatchObject({ status: "enabled" });
  expect((await line.type("webhooks", "set", id, ...of)).exitCode).toBe(2);
  expect((await line.type("webhooks", "set", id, ...of, "--enable", "--disable")).exitCode).toBe(2);
  expect((await line.type("webhooks", "remove", id, ...of)).exitCode).toBe(2);
  expect((await line.type("webhooks", "remove", id, ...of, "--yes")).exitCode).toBe(0);
  const gone = await line.type("webhooks", "show", id, ...of);
  expect([gone.exitCode, gone.stderr]).toEqual([4, `petstore: There is no webhook "${id}".\n`]);
});

test("a test exits with 6 if the receiver does not accept the message", async () => {
  const id = await create();
  const good = await line.type("webhooks", "test", id, ...of);
  expect([good.exitCode, good.stdout]).toEqual([0, "ok\n"]);
  office.receiver.answer = () => ({ fault: "unreachable", said: "Nothing listens." });
  const bad = await line.type("webhooks", "test", id, ...of);
  expect([bad.exitCode, bad.stdout]).toEqual([6, "Nothing listens.\n"]);
  expect(bad.stderr).toBe("Not delivered (unreachable), after 0 ms.\n");
});

test("deliveries are listed, shown with message and answer, and replayed", async () => {
  const id = await create("--type", "pet.created");
  const from = isoTime(office.clock.now());
  const pets = `/manage/v1/accounts/${office.accountId}/production/pets`;
  for (const name of ["Ada", "Bea"]) {
    await office.as("owner").post(pets, { name, categoryId: 1 });
  }
  await run();
  const listed = await line.type("webhooks", "deliveries", id, ...of, "--state", "delivered");
  const [, event = ""] = /\n(\d+) +pet\.created +delivered +1 +200/.exec(listed.stdout) ?? [];
  const one = await line.type("webhooks", "deliveries", id, ...of, "--event", event);
  expect(one.stdout).toMatch(/\nMessage msg_\w{24}:\n\{"type":"pet\.created".*\n\nAnswer:\nok\n$/);
  const replay = (...more: readonly string[]) =>
    line.type("webhooks", "replay", id, ...of, ...more);
  expect((await replay("--event", event)).stderr).toBe("1 event is on the way.\n");
  expect((await replay("--from", from)).stderr).toBe("2 events are on the way.\n");
  expect((await replay()).exitCode).toBe(2);
  expect((await replay("--event", event, "--from", from)).exitCode).toBe(2);
  office.receiver.sent.length = 0;
  await run();
  expect(office.receiver.sent).toHaveLength(2);
});

test("a rotation shows the new secret once", async () => {
  const id = await create();
  const rotated = await line.type("webhooks", "rotate", id, ...of, "--overlap", "1h");
  expect(rotated.stdout).toMatch(/^whsec_/);
  const shown = await line.type("webhooks", "show", id, ...of);
  expect(shown.stdout).toContain("Old secret until: ");
});
