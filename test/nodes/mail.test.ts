import { afterAll, beforeAll, expect, test } from "bun:test";

import { rm } from "node:fs/promises";
import { join } from "node:path";

import { must } from "../../settings/failure.ts";
import { startMailServer, type MailServer } from "../helpers/mail-server.ts";
import { startNodes, timeUntil, type TestNode, type TestNodes } from "../helpers/nodes.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { temporaryDirectory } from "../helpers/process.ts";

/** Far more than anything takes, because slowness is not a failure. */
const PATIENCE_MS = 60_000;

let mail: MailServer;
let server: TestPostgres;
let url: string;
let directory: string;
let started: TestNodes;
let nodes: readonly TestNode[];

beforeAll(async () => {
  mail = await startMailServer({ tls: "starttls", signIn: true });
  server = await startPostgres();
  url = await server.createDatabase();
  directory = await temporaryDirectory();
  const config = join(directory, "petstore.json");
  const smtpUrl = `smtp://ada@example.org:secret@127.0.0.1:${mail.port}`;
  await Bun.write(config, JSON.stringify({ "smtp-url": smtpUrl, "mail-from": "pets@example.org" }));
  const args = ["--config", config];
  started = await startNodes(url, [
    { name: "here", args },
    { name: "there", args },
  ]);
  ({ nodes } = started);
});

afterAll(async () => {
  await started?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const database = (): string => new URL(url).pathname.slice(1);
/** Returns the first column of the first row, as text. */
const run = async (text: string): Promise<string> => {
  const [row = {}] = await server.run(text, database());
  return String(Object.values(row)[0]);
};
const invite = async ({ manage }: TestNode, email: string): Promise<void> => {
  const { mailed } = must(await manage.call("POST /members", { body: { email } }));
  expect(mailed).toBe(true);
};
const states = async (): Promise<string> =>
  run(
    "SELECT string_agg(DISTINCT COALESCE(outcome, 'waiting'), ' ') || ' ' || COUNT(*) FROM mail_queue",
  );

test("each mail arrives once, whichever node queued it, over an encrypted connection", async () => {
  const names = Array.from({ length: 24 }, (_, index) => `a${index}@example.org`);
  await Promise.all(names.map((name, index) => invite(nodes[index % 2]!, name)));
  await mail.arrived(names.length);
  await timeUntil(async () => (await states()) === "sent 24", PATIENCE_MS);
  expect(mail.received.flatMap(({ to }) => to).toSorted()).toEqual(names.toSorted());
  expect(mail.received.every(({ encrypted, user }) => encrypted && user !== undefined)).toBe(true);
});

test("a mail that a killed node was sending is sent by another one, under the same name", async () => {
  const before = mail.received.length;
  const begun = Promise.withResolvers<void>();
  mail.fault = (moment) => {
    if (moment !== "recipient") return undefined;
    begun.resolve();
    return "silent";
  };
  await invite(nodes[0]!, "grace@example.org");
  await begun.promise;
  expect(await run("SELECT attempts FROM mail_queue WHERE outcome IS NULL")).toBe("1");
  // Whichever node sends it waits for the server's answer.
  await Promise.all(nodes.map(({ program }) => program.end("SIGKILL")));
  mail.fault = () => undefined;
  // As if ten minutes had passed.
  await run("UPDATE mail_queue SET next_at = 0 WHERE outcome IS NULL");
  const args = ["--config", join(directory, "petstore.json")];
  await started.add({ name: "next", args });
  const received = await mail.arrived(before + 1);
  expect(received.at(-1)?.to).toEqual(["grace@example.org"]);
  await timeUntil(async () => (await states()) === "sent 25", PATIENCE_MS);
  expect(await run("SELECT COUNT(*) FROM mail_queue WHERE sealed IS NOT NULL")).toBe("0");
  const id = await run("SELECT id FROM mail_queue WHERE attempts = 2");
  expect(received.at(-1)?.headers).toContain(`Message-ID: <${id}@example.org>`);
  expect(mail.received).toHaveLength(before + 1);
});
