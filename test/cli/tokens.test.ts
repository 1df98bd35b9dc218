import { expect, test } from "bun:test";

import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";

import { runProgram } from "../helpers/process.ts";
import { installation, scratch } from "./installation.ts";

interface Token {
  readonly id: string;
  readonly token?: string;
  readonly role: string;
  readonly status: string;
  readonly expiresAt?: string;
}

test("tokens are created, listed without their secret, and revoked", async () => {
  const here = await installation();
  const { id } = await here.json<{ readonly id: string }>("accounts", "create", "A");
  const of = ["--account", id];
  const made = await here.json<Token>(
    "tokens",
    "create",
    ...of,
    "--role",
    "owner",
    "--name",
    "Ann",
  );
  expect(made).toMatchObject({ role: "owner", status: "active", name: "Ann" });
  expect(made.token).toStartWith(`pet_manage_${made.id}_`);
  const operator = await here.run("tokens", "create", "--expires-in", "24h");
  expect(operator.stdout).toMatch(/^pet_manage_\w+\n$/);
  expect(operator.stderr).toMatch(
    /^Token \w+ \(operator, expires [-\d]{10} [\d:]{5} UTC\)\. It is shown only once:\n$/,
  );

  const listed = await here.run("tokens", "list", ...of, "--json");
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: made.id, accountId: id }]);
  expect(listed.stdout).not.toContain(made.token ?? "");
  expect(await here.json<Token[]>("tokens", "list")).toMatchObject([{ role: "operator" }]);

  expect((await here.run("tokens", "revoke", made.id, ...of)).exitCode).toBe(2);
  expect((await here.run("tokens", "revoke", made.id, "--yes")).exitCode).toBe(4);
  const ended = await here.json<Token>("tokens", "revoke", made.id, ...of, "--yes");
  expect(ended.status).toBe("revoked");
});

test.each([
  [["--role", "staff"], "add --account"],
  [["--account", "acc_1"], "--account needs --role"],
  [["--account", "acc_1", "--role", "operator"], "remove --account"],
  [["--role", "boss"], "must be one of operator, owner, staff, viewer"],
])("tokens create %j is a usage error", async (args, words) => {
  const { exitCode, stderr } = await (await installation()).run("tokens", "create", ...args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test("a setup link can be exchanged once for an operator's token in a private file", async () => {
  const here = await installation();
  await using server = await here.serve();
  const link = (await here.run("setup-link")).stdout.trim();
  expect(link).toMatch(/^http:\/\/localhost:\d+\/setup#\w+$/);
  const place = await scratch();
  const claim = (file: string, ...args: readonly string[]) =>
    runProgram(["tokens", "claim", "--token-file", join(place, file), ...args]);
  const at = ["--server", server.origin];

  const claimed = await claim("token", "--setup-link", link, ...at);
  expect(claimed.stdout).toBe(`--server ${server.origin} --token-file ${join(place, "token")}\n`);
  expect(claimed.stdout + claimed.stderr).not.toContain("pet_manage_");
  expect((await stat(join(place, "token"))).mode & 0o777).toBe(0o600);
  const made = await runProgram(["accounts", "create", "A", ...claimed.stdout.trim().split(" ")]);
  expect(made.exitCode).toBe(0);

  const again = await claim("token2", "--setup-link", link, ...at);
  expect(again.exitCode).toBe(5);
  expect(await Bun.file(join(place, "token2")).exists()).toBe(false);
  const next = (await here.run("setup-link")).stdout.trim();
  const taken = await claim("token", "--setup-link", next, ...at);
  expect([taken.exitCode, taken.stderr]).toEqual([1, expect.stringContaining("the file exists")]);
  // The failed attempt did not use up the setup link.
  expect((await claim("token3", "--setup-link", next, ...at)).exitCode).toBe(0);
  expect((await claim("token4", "--setup-link", "https://pets.example.org/setup")).exitCode).toBe(
    2,
  );
});

test("denied callers and unreachable servers have their own exit codes", async () => {
  const here = await installation();
  await using server = await here.serve();
  const { id } = await here.json<{ readonly id: string }>("accounts", "create", "A");
  const viewer = await here.json<Token>("tokens", "create", "--account", id, "--role", "viewer");
  const file = join(await scratch(), "token");
  await Bun.write(file, `${viewer.token}\n`);
  await chmod(file, 0o600);
  const ask = async (
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<readonly [number, string]> => {
    const { exitCode, stderr } = await runProgram(args, { env });
    return [exitCode, stderr];
  };
  const to = { PETSTORE_SERVER: server.origin };
  const as = { ...to, PETSTORE_TOKEN_FILE: file };

  expect(await ask(["accounts", "list"], as)).toEqual([0, ""]);
  expect(await ask(["accounts", "create", "B"], as)).toEqual([5, expect.any(String)]);
  expect(await ask(["keys", "list", "--account", "acc_other"], as)).toEqual([
    4,
    'petstore: There is no account "acc_other".\n',
  ]);
  expect(await ask(["accounts", "list"], to)).toEqual([
    3,
    expect.stringContaining("needs a management token"),
  ]);
  const wrong = `${viewer.token?.slice(0, -1)}${viewer.token?.endsWith("a") ? "b" : "a"}`;
  expect((await ask(["accounts", "list"], { ...to, PETSTORE_TOKEN: wrong }))[0]).toBe(5);
  await here.run("tokens", "revoke", viewer.id, "--account", id, "--yes");
  expect(await ask(["accounts", "list"], as)).toEqual([5, expect.stringContaining("revoked")]);
  await server.end();
  expect(await ask(["accounts", "list"], as)).toEqual([
    75,
    expect.stringContaining("Is the server running?"),
  ]);
});

test("a server that is not a petstore is reported", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("Hello") });
  const env = { PETSTORE_SERVER: String(other.url), PETSTORE_TOKEN: "pet_manage_x" };
  const { exitCode, stderr } = await runProgram(["projects", "list"], { env });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("is not a petstore's")]);
  await other.stop(true);
});
