import { expect, test } from "bun:test";

import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { environmentOf, runProgram, startProgram, type Program } from "../helpers/process.ts";
import { installation, scratch, storedActors } from "./installation.ts";

const EMAIL = "ada@shelter.example";
const PASSWORD = "seven otters cross the river";

/** Creates a file with a secret, as container platforms do. */
async function secretFile(secret: string): Promise<string> {
  const path = join(await scratch(), "password");
  await writeFile(path, `${secret}\n`, { mode: 0o600 });
  return path;
}

async function env(password: string = PASSWORD, email: string = EMAIL) {
  return {
    PETSTORE_ADMIN_EMAIL: email,
    PETSTORE_ADMIN_PASSWORD_FILE: await secretFile(password),
  };
}

/** Signs in as the dashboard does; resolves with the status. */
async function signIn({ origin }: Program, password: string, email = EMAIL): Promise<number> {
  const { port } = new URL(origin);
  const response = await fetch(`${origin}/manage/v1/sessions`, {
    method: "POST",
    headers: {
      host: `localhost:${port}`,
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
    },
    body: JSON.stringify({ email, password }),
  });
  return response.status;
}

test("the operator from the options can sign in, and the log contains no secret", async () => {
  const here = await installation();
  await using server = await startProgram({ dataDir: here.dataDir, env: await env() });
  expect(await signIn(server, PASSWORD)).toBe(201);
  expect(await signIn(server, `${PASSWORD}!`)).toBe(401);
  await server.end();
  expect(storedActors(here.dataDir, "member.created")).toEqual(["command"]);
  expect(server.output()).toContain("created the operator");
  expect(server.output()).not.toContain("nobody can sign in yet");
  expect(server.output()).not.toContain(PASSWORD);
});

test("existing members are never changed, and a warning says that the options have no effect", async () => {
  const here = await installation();
  const first = await startProgram({ dataDir: here.dataDir, env: await env() });
  await first.end();
  const others = await env("another four quiet herons", "eve@shelter.example");
  await using second = await startProgram({ dataDir: here.dataDir, env: others });
  expect(await signIn(second, PASSWORD)).toBe(201);
  expect(await signIn(second, "another four quiet herons", "eve@shelter.example")).toBe(401);
  await second.end();
  expect(second.output()).toContain("have no effect, because members exist: remove them");
});

test("a member without a password gets none from the options", async () => {
  const here = await installation();
  await here.run("members", "create", EMAIL);
  await using server = await startProgram({ dataDir: here.dataDir, env: await env() });
  expect(await signIn(server, PASSWORD)).toBe(401);
  const [, hint = ""] = /"command":"([^"]+)"/.exec(server.output()) ?? [];
  expect(hint).toContain(` members reset-link ${EMAIL} `);
  const child = Bun.spawn(["sh", "-c", hint], {
    cwd: tmpdir(),
    env: { ...process.env, ...(await environmentOf(here.dataDir)) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(await new Response(child.stdout).text()).toContain("/reset#");
  expect(server.output()).not.toContain("created the operator");
  await server.end();
});

test("a weak password or an invalid email address prevents the start", async () => {
  const here = await installation();
  const serve = (given: Record<string, string>) =>
    runProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", here.dataDir], { env: given });
  const weak = await serve(await env("password1234"));
  expect(weak.exitCode).toBe(3);
  expect(weak.stderr).toContain("admin-password: The password");
  const leaked = await serve(await env("metallica1234"));
  expect(leaked.exitCode).toBe(3);
  expect(leaked.stderr).toContain("admin-password: The password");
  expect(weak.stderr).not.toContain("password1234");
  const nobody = await serve(await env(PASSWORD, "ada"));
  expect(nobody.exitCode).toBe(3);
  expect(nobody.stderr).toContain("PETSTORE_ADMIN_EMAIL must be an email address");
  const { PETSTORE_ADMIN_EMAIL } = await env();
  const half = await serve({ PETSTORE_ADMIN_EMAIL });
  expect(half.exitCode).toBe(3);
  expect(half.stderr).toContain("admin-email needs admin-password");
});

test("the password has no flag, and config does not show it", async () => {
  const typed = await runProgram(["config", "print", "--admin-password", PASSWORD]);
  expect(typed.exitCode).toBe(2);
  const shown = await runProgram(["config", "print"], { env: await env() });
  expect(shown.stdout).toMatch(/^admin-password +\(set\) +environment$/m);
  expect(shown.stdout).not.toContain(PASSWORD);
});

test("without a terminal the log names the command that creates a sign-up link, but contains no link", async () => {
  const here = await installation();
  const server = await here.serve();
  const { url } = await here.json<{ url: string }>("setup-link");
  expect(url).toMatch(/^http:\/\/localhost:\d+\/setup#pet_setup_/);
  await server.end();
  expect(server.output()).toMatch(/no member can sign in at http:\/\/localhost:\d+\//);
  expect(server.output()).toContain("setup-link --data-dir");
  expect(server.output()).not.toContain("pet_setup_");
});
