import { describe, expect, test } from "bun:test";

import manifest from "../../package.json";
import { api } from "../helpers/api.ts";
import { runProgram } from "../helpers/process.ts";
import { installation } from "./installation.ts";

interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly limits: { readonly perMinute: number; readonly perDay: number };
  readonly suspendedAt?: string;
}

interface Key {
  readonly id: string;
  readonly key: string;
  readonly environment: string;
  readonly scopes: readonly string[];
  readonly status: string;
  readonly expiresAt?: string;
}

// The same commands twice: each opens the directory itself, or goes through the server that has it open.
describe.each([false, true])("with a server running: %p", (running) => {
  test("accounts and keys are created, shown, changed, revoked and deleted", async () => {
    const here = await installation();
    await using stack = new AsyncDisposableStack();
    if (running) stack.use(await here.serve());

    const account = await here.json<Account>("accounts", "create", "Happy Tails");
    expect(account).toMatchObject({ name: "Happy Tails", plan: "free" });
    expect(account.id).toMatch(/^acc_\w{12}$/);
    expect(await here.json<Account[]>("accounts", "list")).toEqual([account]);

    const big = ["plan", account.id, "enterprise", "--per-minute", "7", "--per-day", "70"];
    expect((await here.json<Account>("accounts", ...big)).limits).toEqual({
      perMinute: 7,
      perDay: 70,
    });
    expect((await here.json<Account>("accounts", "plan", account.id, "pro")).plan).toBe("pro");
    expect((await here.json<Account>("accounts", "suspend", account.id)).suspendedAt).toBeString();
    expect(
      (await here.json<Account>("accounts", "resume", account.id)).suspendedAt,
    ).toBeUndefined();

    const of = ["--account", account.id];
    const key = await here.json<Key>(
      "keys",
      "create",
      ...of,
      "--environment",
      "staging",
      "--expires-in",
      "24h",
      "--scope",
      "pets:read,pets:write",
    );
    expect(key.key).toStartWith(`pet_test_${key.id}_`);
    expect(key).toMatchObject({ environment: "staging", scopes: ["pets:read", "pets:write"] });
    expect(key.expiresAt).toMatch(/^\d{4}-.*Z$/);
    const listed = await here.run("keys", "list", ...of, "--json");
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id: key.id, status: "active" }]);
    expect(listed.stdout).not.toContain(key.key);

    const next = await here.json<Key>("keys", "rotate", key.id, "--overlap", "0s");
    expect(next.id).not.toBe(key.id);
    expect((await here.json<Key>("keys", "unban", next.id)).status).toBe("active");
    expect((await here.json<Key>("keys", "revoke", next.id, "--yes")).status).toBe("revoked");
    expect(
      (await here.json<Key[]>("keys", "list", ...of)).map(({ status }) => status).toSorted(),
    ).toEqual(["expired", "revoked"]);

    await here.json("accounts", "delete", account.id, "--yes");
    expect(await here.json<Account[]>("accounts", "list")).toEqual([]);
  });

  test("every refusal has its own exit code and message", async () => {
    const here = await installation();
    await using stack = new AsyncDisposableStack();
    if (running) stack.use(await here.serve());
    const { id } = await here.json<Account>("accounts", "create", "A");
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [["accounts", "plan", "acc_nobody", "pro"], 4, 'There is no account "acc_nobody".'],
      [["accounts", "plan", id, "gold"], 2, "must be one of free, pro, business, enterprise"],
      [["accounts", "plan", id, "enterprise"], 2, "needs --per-minute and --per-day"],
      [["accounts", "create", "x".repeat(121)], 2, "at most 120 characters"],
      [["accounts", "delete", id], 2, "pass --yes"],
      [["keys", "create", "--account", "acc_nobody"], 4, 'There is no account "acc_nobody".'],
      [["keys", "revoke", "nobody", "--yes"], 4, 'There is no API key "nobody".'],
      [["keys", "rotate", "nobody"], 4, 'There is no API key "nobody".'],
      [["pets", "export", "--account", "acc_nobody"], 4, 'There is no account "acc_nobody".'],
    ];
    for (const [args, code, words] of cases) {
      const { exitCode, stdout, stderr } = await here.run(...args);
      expect([args, exitCode, stdout]).toEqual([args, code, ""]);
      expect(stderr).toContain(words);
    }
  });
});

test("creating a key prints only the key on stdout, and the server accepts it immediately", async () => {
  const here = await installation();
  await using server = await here.serve();
  const { id } = await here.json<Account>("accounts", "create", "A");
  const { stdout, stderr } = await here.run("keys", "create", "--account", id);
  expect(stdout).toMatch(/^pet_live_\w+\n$/);
  expect(stderr).toContain("shown only once");
  const shop = api({ base: server.origin, key: stdout.trim() });
  expect((await shop.get("/v1/pets")).status).toBe(200);
  const keyId = stdout.split("_")[2] ?? "";
  await here.run("keys", "revoke", keyId, "--yes");
  expect((await shop.get("/v1/pets")).status).toBe(401);
});

test("lists are printed as tables, and an empty list prints nothing on stdout", async () => {
  const here = await installation();
  await here.run("accounts", "create", "Ünïcode 🐕");
  const { stdout } = await here.run("accounts", "list");
  const [heading = "", row = ""] = stdout.split("\n");
  expect(heading).toMatch(/^ID +NAME +PLAN +PER MINUTE +PER DAY +STATUS$/);
  expect(Bun.stringWidth(row.slice(0, row.indexOf("free")))).toBe(heading.indexOf("PLAN"));
  const { id } = (await here.json<Account[]>("accounts", "list"))[0] ?? { id: "" };
  const keys = await here.run("keys", "list", "--account", id);
  expect([keys.stdout, keys.exitCode]).toEqual(["", 0]);
});

test("only commands that need a data directory create a missing one", async () => {
  const here = await installation();
  const listed = await here.run("accounts", "list");
  expect(listed.exitCode).toBe(3);
  expect(listed.stderr).toContain("The data directory");
  expect(await Bun.file(here.path("petstore.db")).exists()).toBe(false);
  expect((await here.run("accounts", "create", "A")).exitCode).toBe(0);
});

test.each([
  [["acounts"], 'Unknown command "acounts". Did you mean accounts?'],
  [["keys", "creat"], 'Unknown command "keys creat". Did you mean keys create?'],
  [["keys", "xyz"], "Commands: create, list, rotate, revoke, unban."],
  [["backup"], "FILE|DIRECTORY|s3://… is required."],
  [["serve", "--lissten", ":1"], "did you mean --listen?"],
  [["--dns-listen", ":53"], "--dns-listen: not in this version"],
  [["--data-dir", "x", "accounts", "list"], "a command comes before its options"],
  [["accounts", "list", "--server", "http://x", "--data-dir", "y"], "cannot be combined"],
  [["accounts", "list", "--server", "pets.example.org"], "must be an address such as"],
  [["accounts", "list", "--token-file", "x"], "--token-file needs --server"],
])("%j is refused with a hint", async (args, words) => {
  const { exitCode, stdout, stderr } = await runProgram(args);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(words);
});

test("help goes to stdout, and a group without a command is a usage error", async () => {
  for (const args of [
    ["--help"],
    ["-h"],
    ["help"],
    ["keys", "--help"],
    ["keys", "create", "-h"],
    ["help", "keys"],
  ]) {
    const { exitCode, stdout, stderr } = await runProgram(args);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Usage: ");
  }
  const { exitCode, stdout, stderr } = await runProgram(["keys"]);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("keys create");
});

test("--version prints the version of the package, and what it was built from", async () => {
  const { stdout } = await runProgram(["version"]);
  expect(stdout).toStartWith(`petstore ${manifest.version} (`);
  expect(stdout).toMatch(/\((from source|[\w-]+, commit [\da-f]{12}(-changed)?, [\d-]{10})\)\n$/);
  expect((await runProgram(["--version"])).stdout).toBe(stdout);
  expect(JSON.parse((await runProgram(["--version", "--json"])).stdout).version).toBe(
    manifest.version,
  );
});

test("the description of the API is printed without starting a server", async () => {
  const { stdout } = await runProgram([
    "openapi",
    "--base-domain",
    "pets.example.org",
    "--public-http-port",
    "80",
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    openapi: "3.1.0",
    servers: [
      { url: "http://pets.example.org/v1", description: "Production" },
      { url: "http://staging.pets.example.org/v1", description: "Staging" },
    ],
  });
});

test("config prints the effective options of serve without secrets", async () => {
  const key = Buffer.alloc(32, 5).toString("base64");
  const env = { PETSTORE_ENCRYPTION_KEY: key, PETSTORE_LOG_LEVEL: "warn" };
  for (const form of [[], ["--json"]]) {
    const { stdout, stderr } = await runProgram(["config", "print", "--listen", ":1", ...form], {
      env,
    });
    expect(stdout).toContain("(set)");
    expect(stdout).toContain("warn");
    expect(stdout + stderr).not.toContain(key);
  }
});

test("a config file that the schema accepts is accepted by serve", async () => {
  const { stdout } = await runProgram(["config", "schema"]);
  const schema = JSON.parse(stdout);
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties)).toContain("trusted-proxies");
  expect(Object.keys(schema.properties)).not.toContain("config");
});
