import { expect, test } from "bun:test";

import { join } from "node:path";

import { shellWord } from "../../lib/base/readable.ts";
import { scratch, storedActors } from "./installation.ts";

const SERVER = join(import.meta.dir, "../../server.ts");

/** Starts the program on its own terminal; resolves with its output as soon as `enough` accepts it. */
async function onTerminal(dataDir: string, enough: RegExp) {
  let written = "";
  const arrived = Promise.withResolvers<string>();
  const child = Bun.spawn(
    [process.execPath, SERVER, "serve", "--listen", "127.0.0.1:0", "--data-dir", dataDir],
    {
      env: { PATH: process.env["PATH"] ?? "", HOME: dataDir, TERM: "xterm" },
      terminal: {
        cols: 200,
        rows: 50,
        data: (_terminal, data) => {
          written += new TextDecoder().decode(data);
          if (enough.test(written)) arrived.resolve(written);
        },
      },
    },
  );
  const text = await arrived.promise;
  return {
    text: text.replaceAll("\r\n", "\n"),
    end: async () => {
      child.kill("SIGINT");
      return child.exited;
    },
  };
}

test("a first start on a terminal creates a shelter and a staging key, and prints commands that work when pasted", async () => {
  const dataDir = join(await scratch(), "data");
  const program = await onTerminal(dataDir, /deploy --starter [^\n]*\n/);
  expect(program.text).toContain("My shelter");
  const lines = program.text.split("\n").filter((line) => line.trim().startsWith("curl "));
  expect(lines).toHaveLength(2);
  const answers = [];
  for (const line of lines) {
    const shell = Bun.spawn(["sh", "-c", `${line} -s`], { stdio: ["ignore", "pipe", "ignore"] });
    answers.push(await new Response(shell.stdout).json());
  }
  expect(answers).toMatchObject([
    { id: 1, name: "Rex", categoryId: 1, status: "available" },
    [{ id: 1, name: "Rex", categoryId: 1, status: "available" }],
  ]);

  // The commands are unchanged; only the working directory differs.
  const site = /A site for the animals of Production, at (\S+):/.exec(program.text)?.[1] ?? "";
  const commands = program.text
    .split("\n")
    .filter((line) => / (?:projects create|deploy --starter) /.test(line));
  expect(commands).toHaveLength(2);
  for (const line of commands) {
    const shell = Bun.spawn(["sh", "-ec", line], { stdio: ["ignore", "ignore", "ignore"] });
    expect(await shell.exited).toBe(0);
  }
  const { host, port } = new URL(site);
  const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { host } });
  expect(await page.text()).toContain("My shelter");
  expect(await program.end()).toBe(0);
  for (const type of ["account.created", "key.created"]) {
    expect([type, ...storedActors(dataDir, type)]).toEqual([type, "command"]);
  }

  const again = await onTerminal(dataDir, /To create another one: [^\n]*\n/);
  expect(again.text).not.toContain("pet_test_");
  expect(await again.end()).toBe(0);
});

/** Signs up with a setup link as the dashboard does; resolves with the status. */
async function signUp(link: string): Promise<number> {
  const { host, port, hash } = new URL(link);
  const response = await fetch(`http://127.0.0.1:${port}/manage/v1/setup/member`, {
    method: "POST",
    headers: { host, "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({
      token: hash.slice(1),
      email: "ada@shelter.example",
      password: "seven otters cross the river",
      name: "Ada",
    }),
  });
  return response.status;
}

test("a start on a terminal shows the dashboard's address, and a sign-up link while no member can sign in", async () => {
  const dataDir = join(await scratch(), "data");
  const invited = /\n {2}(http:\/\/localhost:\d+\/setup#pet_setup_\w+)\n/;
  const first = await onTerminal(dataDir, /deploy --starter [^\n]*\n/);
  expect(first.text).toMatch(/^ {2}Dashboard +http:\/\/localhost:\d+\/$/m);
  const link = invited.exec(first.text)?.[1] ?? "";
  expect(await signUp(link)).toBe(201);
  expect(await signUp(link)).toBe(401);
  expect(await first.end()).toBe(0);
  const next = await onTerminal(dataDir, /Data\s+\S+\r\n\r\n/);
  expect(next.text).not.toContain("pet_setup_");
  expect(await next.end()).toBe(0);
});

test.each([
  ["/var/lib/petstore", "/var/lib/petstore"],
  ["a b", "'a b'"],
  ["it's", String.raw`'it'\''s'`],
  ["$(x)", "'$(x)'"],
])("%s is quoted for a shell as %s", (word, shown) => {
  expect(shellWord(word)).toBe(shown);
});
