import { expect, test } from "bun:test";

import { Database } from "bun:sqlite";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";

import { freePort } from "../helpers/free-ports.ts";
import { startMailServer } from "../helpers/mail-server.ts";
import { startProgram } from "../helpers/process.ts";
import { installation } from "./installation.ts";

interface Report {
  readonly ok: boolean;
  readonly findings: readonly {
    readonly check: string;
    readonly status: string;
    readonly message: string;
  }[];
}

async function examined(
  here: Awaited<ReturnType<typeof installation>>,
  ...args: readonly string[]
) {
  const { exitCode, stdout } = await here.run(
    "doctor",
    "--listen",
    "127.0.0.1:0",
    "--json",
    ...args,
  );
  const report: Report = JSON.parse(stdout);
  const statusOf = (check: string) => report.findings.find((one) => one.check === check)?.status;
  return { exitCode, report, statusOf };
}

test("doctor finds no problem in a sound installation, stopped or running", async () => {
  const here = await installation();
  await here.json("accounts", "create", "A");
  const resting = await examined(here);
  expect(resting.report.findings.filter(({ status }) => !/^(?:ok|skip)$/.test(status))).toEqual([]);
  expect([resting.exitCode, resting.report.ok]).toEqual([0, true]);
  await using server = await here.serve();
  const running = await here.run("doctor");
  expect(running.exitCode).toBe(0);
  expect(running.stdout).toMatch(
    new RegExp(`^ok +server +Process ${server.pid} .* is ready$`, "m"),
  );
});

test("a server that checked itself still holds the lock of its directory", async () => {
  const here = await installation();
  await using server = await here.serve();
  expect((await here.run("doctor")).stdout).toContain(`Process ${server.pid} on `);
  const { exitCode, stderr } = await here.run("serve", "--listen", "127.0.0.1:0");
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining(`process ${server.pid}`)]);
});

test("a running server checks itself, with its own options", async () => {
  const here = await installation();
  const port = await freePort();
  await using server = await startProgram({
    dataDir: here.dataDir,
    listen: `127.0.0.1:${port}`,
    args: ["--sites-domain", "sites.invalid"],
  });
  const { exitCode, stdout, stderr } = await here.run("doctor", "--listen", "127.0.0.1:1");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    new RegExp(`^ok +server +Process ${server.pid} on .*:${port} is ready$`, "m"),
  );
  expect(stdout).toMatch(/^ok +listen .*by the server of this directory$/m);
  expect(stdout).toMatch(/^warn +sites domain /m);
  expect(stderr).toContain("checked its own options and ignored --listen");
  const quiet = await here.run("doctor");
  expect(quiet.stderr).toBe("");
});

test("without an installation the directory check fails, and the directory is not created", async () => {
  const here = await installation();
  const { exitCode, statusOf } = await examined(here);
  expect(exitCode).toBe(6);
  expect(statusOf("data directory")).toBe("fail");
  expect(await Bun.file(here.path("petstore.lock")).exists()).toBe(false);
});

test("files readable by others are reported: a warning for the directory, a failure for the key", async () => {
  const here = await installation();
  await here.json("accounts", "create", "A");
  await chmod(here.dataDir, 0o755);
  await chmod(here.path("encryption.key"), 0o644);
  const { exitCode, statusOf } = await examined(here);
  expect([exitCode, statusOf("data directory"), statusOf("encryption key")]).toEqual([
    6,
    "warn",
    "fail",
  ]);
});

test("a key of another database is a failure", async () => {
  const here = await installation();
  await here.json("accounts", "create", "A");
  await writeFile(here.path("encryption.key"), "00".repeat(32));
  expect((await examined(here)).statusOf("encryption key")).toBe("fail");
});

test("a missing key and a damaged database are failures", async () => {
  const here = await installation();
  await here.json("accounts", "create", "A");
  await rm(here.path("encryption.key"));
  expect((await examined(here)).statusOf("encryption key")).toBe("fail");
  await writeFile(
    here.path("petstore.db"),
    "this is no database, and long enough to be seen as none",
  );
  expect((await examined(here)).statusOf("database")).toBe("fail");
});

test("a database of a newer version is a failure, of an older one is not, and neither is changed", async () => {
  const here = await installation();
  await here.json("accounts", "create", "A");
  const version = (to: number): void => {
    const database = new Database(here.path("petstore.db"));
    database.run("DELETE FROM petstore_migrations WHERE component = 'petstore'");
    database.run("INSERT INTO petstore_migrations VALUES ('petstore', ?, 0)", [to]);
    database.close();
  };
  version(9_999);
  expect((await examined(here)).statusOf("database")).toBe("fail");
  version(0);
  const { report, statusOf } = await examined(here);
  expect(statusOf("database")).toBe("ok");
  expect(JSON.stringify(report)).toContain("schema version 0, which the next start upgrades to");
});

test("a port in use by another program is a failure", async () => {
  const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const here = await installation();
  await here.json("accounts", "create", "A");
  const { exitCode, stdout } = await here.run("doctor", "--listen", `127.0.0.1:${taken.port}`);
  expect(exitCode).toBe(6);
  expect(stdout).toMatch(/^FAIL +listen .*in use/m);
  await taken.stop(true);
});

test("site files are counted, and a directory that cannot store them is a failure", async () => {
  const here = await installation();
  await here.json("accounts", "create", "A");
  expect(JSON.stringify((await examined(here)).report)).toContain("the first deploy creates");
  await mkdir(here.path("blobs/ab"), { recursive: true });
  await writeFile(here.path("blobs/ab/cd"), "x".repeat(1_500));
  const { report, statusOf } = await examined(here);
  expect(statusOf("blobs")).toBe("ok");
  expect(JSON.stringify(report)).toContain("1 file, 1.5 kB");
  await rm(here.path("blobs"), { recursive: true });
  await writeFile(here.path("blobs"), "");
  expect((await examined(here)).statusOf("blobs")).toBe("fail");
});

test("a sites domain that does not resolve is a warning", async () => {
  const here = await installation();
  await here.json("accounts", "create", "A");
  const elsewhere = await examined(here, "--sites-domain", "sites.invalid");
  expect(elsewhere.statusOf("sites domain")).toBe("warn");
  expect(JSON.stringify(elsewhere.report)).toContain("records for *.sites.invalid");
  expect((await examined(here)).statusOf("sites domain")).toBe("ok");
});

test("doctor connects to the mail server, signs in, and says what is wrong", async () => {
  const here = await installation();
  await here.json("accounts", "create", "A");
  await using mail = await startMailServer({ signIn: true });
  const doctor = async (account: string) => {
    const smtpUrl = `smtp://${account}127.0.0.1:${mail.port}`;
    const env = { PETSTORE_SMTP_URL: smtpUrl, PETSTORE_MAIL_FROM: "pets@example.org" };
    const configured = await installation(here.dataDir, env);
    const { exitCode, stdout } = await configured.run("doctor", "--listen", "127.0.0.1:0");
    return [exitCode, /^.{4} {2}mail .*$/m.exec(stdout)?.[0]];
  };
  const server = `127.0.0.1:${mail.port}`;
  expect(await doctor("ada@example.org:secret@")).toEqual([
    0,
    `ok    mail             ${server} accepts the sign-in, on this machine`,
  ]);
  expect(await doctor("")).toEqual([
    0,
    `ok    mail             ${server} answers, on this machine`,
  ]);
  expect(await doctor("ada:wrong@")).toEqual([
    6,
    expect.stringMatching(/^FAIL {2}mail .* refuses the sign-in: 535 Wrong. Correct the user/),
  ]);
  expect(mail.received).toEqual([]);

  using database = new Database(here.path("petstore.db"));
  database.run(
    "INSERT INTO mail_queue VALUES ('mail_late', 'test', '', 'v1.x', 1795000000000, 9000000000000, 3, 9000000000000, NULL, NULL)",
  );
  expect(await doctor("ada@example.org:secret@")).toEqual([
    0,
    expect.stringMatching(
      /^warn {2}mail .* answers, but 1 mail has waited since 2026-11-18 .*The log says why/,
    ),
  ]);
});
