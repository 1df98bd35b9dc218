import { expect, test } from "bun:test";

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import { faultsOf, readContents } from "../../backup/snapshot.ts";
import { memoryBlobs } from "../../lib/publishing/index.ts";
import { holdable } from "../../server/backup/backups.ts";
import { scratch } from "../cli/installation.ts";
import { api } from "../helpers/api.ts";
import { torture } from "../helpers/chance.ts";
import { freePort } from "../helpers/free-ports.ts";
import { runProgram, startProgram } from "../helpers/process.ts";
import { emptyWith, filesIn, shelter } from "./fixture.ts";

const WRITERS = torture ? 64 : 16;

test(`under ${WRITERS} writers a backup holds everything acknowledged before it, and nothing torn`, async () => {
  const here = await shelter(torture ? 100_000 : 500);
  await using server = await here.serve();
  const client = api({ base: server.origin, key: here.key });
  let writing = true;
  const acknowledged: number[] = [];
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    while (writing) {
      const name = `Writer ${writer}`;
      const { status, body } = await client.post("/v1/pets", { name, categoryId: 1 });
      if (status === 201) acknowledged.push((body as { id: number }).id);
    }
  });
  while (acknowledged.length < (torture ? 500 : 200)) await Bun.sleep(10);
  const files: { readonly path: string; readonly before: readonly number[] }[] = [];
  for (let round = 0; round < (torture ? 10 : 1); round++) {
    const path = join(await scratch(), "one.backup");
    const before = [...acknowledged];
    const { exitCode, stderr } = await here.run("backup", path);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("Keep elsewhere")]);
    files.push({ path, before });
  }
  writing = false;
  await Promise.all(writers);

  for (const { path, before } of files) {
    const directory = await emptyWith(here.encryptionKey);
    const restored = await runProgram(["restore", path, "--yes", "--data-dir", directory.path]);
    expect([restored.exitCode, restored.stderr]).toEqual([0, ""]);
    expect(faultsOf(directory.database)).toBeUndefined();
    const { rows } = readContents(directory.database).tables["pets"] ?? { rows: 0 };
    // A walk of every page, through the API of the restored installation.
    await using second = await startProgram({ dataDir: directory.path });
    const walked = await ids(api({ base: second.origin, key: here.key }));
    expect(walked).toHaveLength(rows);
    // Numbered from 1 without gaps: a snapshot of one instant.
    expect(walked).toEqual(walked.map((_, index) => index + 1));
    for (const id of before) expect(id).toBeLessThanOrEqual(rows);
  }
}, 600_000);

/** Walks all pages, oldest first. */
async function ids(client: ReturnType<typeof api>): Promise<readonly number[]> {
  const found: number[] = [];
  let next: string | undefined = "/v1/pets?sort=id&limit=100";
  while (next !== undefined) {
    const { body, headers }: Awaited<ReturnType<typeof client.get>> = await client.get(next);
    found.push(...(body as { id: number }[]).map(({ id }) => id));
    const url: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    next = url === undefined ? undefined : url.slice(url.indexOf("/v1/"));
  }
  return found;
}

test("the server makes scheduled backups, checks each with a trial restore, and keeps as many as it should", async () => {
  const here = await shelter();
  const to = join(await scratch(), "not", "there", "yet");
  const port = await freePort();
  await using _server = await here.serve(
    "--backup-to",
    to,
    "--backup-keep",
    "1",
    "--metrics-listen",
    `127.0.0.1:${port}`,
  );
  const state = await until(async () => {
    const read = await readFile(here.directory.backupState, "utf8").catch(() => "{}");
    return (JSON.parse(read) as { good?: object }).good;
  });
  expect(state).toMatchObject({ to, rehearsed: true });
  const { exitCode, stdout } = await here.run("restore", to, "--check");
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("The backup is sound: ")]);
  // One by hand to another place changes nothing here.
  expect((await here.run("backup", join(await scratch(), "one.backup"))).exitCode).toBe(0);
  const doctor = await here.run("doctor");
  expect(doctor.stdout).toMatch(
    /^ok +backups +20\S+ \S+ UTC in \S+, [\d.]+ [kM]B, trial restore passed; next on 20\S+ \S+ UTC; `.+ restore \S+` restores it$/m,
  );
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(text).toMatch(/^petstore_backup_age_seconds \d/m);
  expect(text).toMatch(/^petstore_backup_bytes \d{6}/m);
  // By hand into the same place: the retention holds for it, too.
  expect((await here.run("backup", to)).exitCode).toBe(0);
  expect((await stat(join(to, "backups"))).isDirectory()).toBe(true);
  const left = await here.run("restore", to, "--check", "--backup", "none");
  expect(left.stderr).toMatch(/It has \d{8}T\d{9}Z\.$/m);
});

const strace = ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e"];
const traceable =
  Bun.which("strace") !== null &&
  Bun.spawnSync([...strace, "trace=setpriority", "true"], {
    stdio: ["ignore", "ignore", "ignore"],
  }).exitCode === 0;

test.skipIf(!traceable && process.env["CI"] !== "true")(
  "a sandbox that forbids priorities does not prevent backups (needs permission to trace)",
  async () => {
    const here = await shelter();
    const to = join(await scratch(), "backups");
    const server = await startProgram({
      dataDir: here.dataDir,
      args: ["--backup-to", to],
      under: [...strace, "inject=setpriority:error=EPERM"],
    });
    const state = await until(async () => {
      const read = await readFile(here.directory.backupState, "utf8").catch(() => undefined);
      return read === undefined ? undefined : (JSON.parse(read) as object);
    });
    // Without its tracer it would go on.
    const traced = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, "utf8");
    process.kill(Number(traced), "SIGKILL");
    await server.end("SIGCONT");
    expect(state).toMatchObject({ good: { to } });
  },
);

test("a scheduled backup that fails is a finding, and is tried again", async () => {
  const here = await shelter();
  await Bun.write(join(here.dataDir, "../in-the-way"), "x");
  const to = join(here.dataDir, "../in-the-way/backups");
  await using _server = await here.serve("--backup-to", to);
  const failed = await until(async () => {
    const read = await readFile(here.directory.backupState, "utf8").catch(() => "{}");
    return (JSON.parse(read) as { failed?: { reason: string } }).failed;
  });
  expect(failed.reason).toContain("a part of the path is not a directory");
  const { exitCode, stdout } = await here.run("doctor");
  expect(exitCode).toBe(6);
  expect(stdout).toMatch(
    /^FAIL +backups +There is no good backup in \S+; the last attempt failed on 20\S+ \S+ UTC: /m,
  );
});

test("backups run one at a time, and a stopped server ends its backup without a trace", async () => {
  // A large file, so that the backup lasts until it is found.
  const here = await shelter(3, 10_000_000);
  const server = await here.serve();
  const place = await scratch();
  const first = here.run("backup", join(place, "first"));
  await until(
    async () => (await stat(here.directory.backupScratch).catch(() => undefined)) ?? undefined,
  );
  // Else it may be complete before the second one begins.
  for (const child of await childrenOf(server.pid)) process.kill(child, "SIGSTOP");
  const second = await here.run("backup", join(place, "second"));
  expect([second.exitCode, second.stderr]).toEqual([
    75,
    expect.stringContaining("Another backup is running"),
  ]);
  await server.end();
  const { exitCode, stderr } = await first;
  expect([exitCode, stderr]).toEqual([
    75,
    expect.stringContaining("The server stopped during the backup."),
  ]);
  expect(await readdir(place)).toEqual([]);
  expect(await filesIn(here.dataDir)).not.toContainEqual(expect.stringContaining("unfinished"));
});

test("no blob is collected while a backup reads", async () => {
  const { blobs, hold } = holdable(memoryBlobs());
  const { sha256 } = await blobs.put(new Uint8Array([1]));
  const [one, two] = [hold(), hold()];
  one[Symbol.dispose]();
  await blobs.delete(sha256);
  expect(await blobs.size(sha256)).toBe(1);
  two[Symbol.dispose]();
  await blobs.delete(sha256);
  expect(await blobs.size(sha256)).toBeUndefined();
});

/** Returns the processes that a process has started. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const lists = tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, "utf8"));
  return (await Promise.all(lists)).join(" ").split(" ").filter(Boolean).map(Number);
}

async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await Bun.sleep(20);
  }
}
