import { expect, test } from "bun:test";

import { join } from "node:path";

import { command } from "../helpers/process.ts";
import { installation, scratch } from "./installation.ts";

/** Runs a command on its own terminal and types `answer` at the prompt. */
async function runAnswering(args: readonly string[], answer: string) {
  let written = "";
  let answered = false;
  const child = Bun.spawn([...command, ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: "/", TERM: "xterm", NO_COLOR: "1" },
    terminal: {
      cols: 200,
      rows: 50,
      data: (terminal, data) => {
        written += new TextDecoder().decode(data);
        if (answered || !written.includes("[y/N")) return;
        answered = true;
        terminal.write(answer);
      },
    },
  });
  const exitCode = await child.exited;
  return { exitCode, written };
}

test("an account is deleted only if the prompt is answered with y", async () => {
  const here = await installation();
  const { id } = await here.json<{ id: string }>("accounts", "create", "Happy Tails");
  const args = ["accounts", "delete", id, "--data-dir", here.dataDir];
  for (const answer of ["\n", "n\n", "yesterday\n", "\u0004"]) {
    const { exitCode, written } = await runAnswering(args, answer);
    expect(written).toContain(`Delete the account Happy Tails (${id})`);
    expect(written).toContain("Cancelled. Nothing changed.");
    expect(exitCode).toBe(1);
  }
  expect(await here.json<unknown[]>("accounts", "list")).toHaveLength(1);
  expect((await runAnswering(args, "y\n")).exitCode).toBe(0);
  expect(await here.json<unknown[]>("accounts", "list")).toEqual([]);
});

test("on a terminal, a deploy that would remove files is published, added or cancelled as answered", async () => {
  const here = await installation();
  const { id } = await here.json<{ id: string }>("accounts", "create", "Happy Tails");
  await here.run("projects", "create", "Cats", "--slug", "our-cats", "--account", id);
  const deployed = async (answer: string, ...files: readonly string[]) => {
    const root = join(await scratch(), "site");
    for (const file of files) await Bun.write(join(root, file), file);
    const args = ["deploy", root, "--project", "our-cats", "--data-dir", here.dataDir];
    return runAnswering(args, answer);
  };
  const live = async () => {
    const [deploy] = await here.json<{ files: number }[]>(
      "deploys",
      "list",
      "--project",
      "our-cats",
    );
    return deploy?.files;
  };
  expect((await deployed("", "index.html", "a.html")).written).not.toContain("[y/N");
  const cancelled = await deployed("\n", "b.html");
  expect(cancelled.written).toContain("2 files of the live site disappear. Publish?");
  expect([cancelled.exitCode, await live()]).toEqual([1, 2]);
  expect([(await deployed("a\n", "b.html")).exitCode, await live()]).toEqual([0, 3]);
  expect([(await deployed("y\n", "b.html")).exitCode, await live()]).toEqual([0, 1]);
});
