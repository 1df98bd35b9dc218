import { expect, test } from "bun:test";

import { api } from "../helpers/api.ts";
import { runProgram } from "../helpers/process.ts";
import { installation } from "./installation.ts";

interface Member {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
  readonly link?: { readonly url: string };
}

test("members are created with a password link, listed and removed", async () => {
  const here = await installation();
  const operator = await here.run("members", "create", "Ada@Example.org", "--name", "Ada");
  // Tests listen on any free port.
  expect(operator.stdout).toMatch(/^http:\/\/localhost:0\/reset#pet_reset_\w+\n$/);
  expect(operator.stderr).toContain("\nSend this link to ada@example.org");
  const { id } = await here.json<{ readonly id: string }>("accounts", "create", "A");
  const of = ["--account", id];
  const made = await here.json<Member>("members", "create", "g@x.org", ...of, "--role", "staff");
  expect(made).toMatchObject({ email: "g@x.org", role: "staff", status: "pending" });
  expect(made.link?.url).toContain("#pet_reset_");

  const operators = await here.json<Member[]>("members", "list");
  expect(operators).toMatchObject([{ email: "ada@example.org", role: "operator" }]);
  expect(await here.json<Member[]>("members", "list", ...of)).toMatchObject([{ id: made.id }]);
  expect((await here.run("members", "list", ...of)).stdout).toContain("g@x.org");

  const twice = await here.run("members", "create", "ADA@example.org");
  expect([twice.exitCode, twice.stderr]).toEqual([1, expect.stringContaining("exists")]);
  expect((await here.run("members", "remove", "g@x.org")).exitCode).toBe(2);
  expect((await here.run("members", "remove", "nobody@x.org", "--yes")).exitCode).toBe(4);
  expect((await here.run("members", "remove", "G@x.org", "--yes")).stderr).toContain(
    "Removed g@x.org",
  );
  expect((await here.run("members", "list", ...of)).stderr).toBe("No members.\n");
});

test.each([
  [["x@x.org", "--role", "staff"], "add --account"],
  [["x@x.org", "--account", "acc_1"], "--account needs --role"],
  [["x@x.org", "--account", "acc_1", "--role", "operator"], "remove --account"],
])("members create %j is a usage error", async (args, words) => {
  const { exitCode, stderr } = await (await installation()).run("members", "create", ...args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test("a password reset link sets a new password and ends all sessions", async () => {
  const here = await installation();
  await using server = await here.serve();
  const browser = (cookie?: string) =>
    api({
      base: server.origin,
      fetch: (request) => {
        request.headers.set("sec-fetch-site", "same-origin");
        if (cookie !== undefined) request.headers.set("cookie", cookie);
        return globalThis.fetch(request);
      },
    });
  const choose = async (link: string, password: string) => {
    const token = new URL(link).hash.slice(1);
    const reply = await browser().post("/manage/v1/reset", { token, password });
    const [cookie = ""] = (reply.headers.get("set-cookie") ?? "").split(";");
    return { status: reply.status, cookie };
  };
  const link = async (...args: readonly string[]) => (await here.run(...args)).stdout.trim();
  const first = await choose(await link("members", "create", "a@x.org"), "seven brave otters");
  expect(first.status).toBe(201);
  expect((await browser(first.cookie).get("/manage/v1/me")).status).toBe(200);
  const reset = await link("members", "reset-link", "A@x.org");
  expect(reset).toMatch(/^http:\/\/localhost:\d+\/reset#pet_reset_\w+$/);
  const second = await choose(reset, "nine shy hedgehogs");
  expect(second.status).toBe(201);
  expect((await browser(first.cookie).get("/manage/v1/me")).status).toBe(401);
  expect((await browser(second.cookie).get("/manage/v1/me")).status).toBe(200);
  const old = { email: "a@x.org", password: "seven brave otters" };
  expect((await browser().post("/manage/v1/sessions", old)).status).toBe(401);
  const last = await here.run("members", "remove", "a@x.org", "--yes");
  expect([last.exitCode, last.stderr]).toEqual([1, expect.stringContaining("last operator")]);
});

test("with a token of one account, a reset link is created for its members only", async () => {
  const here = await installation();
  await using server = await here.serve();
  const account = async (name: string) =>
    (await here.json<{ readonly id: string }>("accounts", "create", name)).id;
  const [ours, theirs] = [await account("A"), await account("B")];
  for (const [email, of] of [["ours@x.org", ours] as const, ["theirs@x.org", theirs] as const]) {
    await here.json("members", "create", email, "--account", of, "--role", "staff");
  }
  const { token } = await here.json<{ readonly token: string }>(
    ...["tokens", "create", "--account", ours, "--role", "owner"],
  );
  const away = (email: string, of: string) =>
    runProgram(
      ["members", "reset-link", email, "--account", of, "--server", server.origin, "--json"],
      { env: { PETSTORE_TOKEN: token } },
    );
  expect(JSON.parse((await away("ours@x.org", ours)).stdout)).toMatchObject({
    email: "ours@x.org",
    url: expect.stringContaining("/reset#pet_reset_"),
  });
  expect((await away("theirs@x.org", theirs)).exitCode).toBe(4);
  expect((await away("theirs@x.org", ours)).exitCode).toBe(4);
});
