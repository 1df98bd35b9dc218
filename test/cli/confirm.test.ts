import { expect, test } from "bun:test";

import { command } from "../helpers/process.ts";
import { installation } from "./installation.ts";

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
        if (answered || !written.includes("[y/N]")) return;
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
