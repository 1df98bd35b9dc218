import { describe, expect, test } from "bun:test";

import { commands } from "../../cli/commands.ts";
import { createEstimate, roughly } from "../../cli/estimate.ts";
import { createProgress } from "../../cli/output.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { chance } from "../helpers/chance.ts";
import { until } from "../helpers/dns/until.ts";
import { command } from "../helpers/process.ts";
import { installation, scratch } from "./installation.ts";

const plain = (text: string): string => text;

/** A terminal and a clock; what is written has one item for each redraw. */
function watched({ columns = 80, errIsTerminal = true } = {}) {
  const drawn: { readonly at: number; readonly line: string }[] = [];
  const sleeping: { readonly until: number; readonly wake: () => void }[] = [];
  let now = 0;
  const terminal = {
    errIsTerminal,
    columns: () => columns,
    err: (text: string) => void drawn.push({ at: now, line: text.replace("\r\u001B[K", "") }),
    style: { dim: plain, red: plain, yellow: plain, green: plain },
  } as unknown as Terminal;
  const clock = {
    now: () => now,
    sleep: async (ms: number) =>
      new Promise<void>((wake) => void sleeping.push({ until: now + ms, wake })),
  };
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const due of sleeping.filter(({ until }) => until <= now)) {
      sleeping.splice(sleeping.indexOf(due), 1);
      due.wake();
    }
    await Promise.resolve();
    await Promise.resolve();
  };
  return { terminal, clock, drawn, pass };
}

describe("progress", () => {
  test("shows a bar, a percentage, a rate and the time left on a terminal", async () => {
    const { terminal, clock, drawn, pass } = watched();
    const progress = createProgress(terminal, clock, "rows");
    await pass(2_000);
    progress.show(3_000, 0.5);
    progress.clear();
    expect(drawn.map(({ line }) => line)).toEqual([
      `${"█".repeat(12)}${"░".repeat(12)} 50 %  3,000 rows, 1,500/s, 2 s left`,
      "",
    ]);
  });

  test("writes nothing if stderr is not a terminal", async () => {
    const { terminal, clock, drawn, pass } = watched({ errIsTerminal: false });
    const progress = createProgress(terminal, clock, "rows");
    for (let round = 0; round < 100; round++) {
      progress.show(round, round / 100);
      progress.say("words", round / 100);
      await pass(1_000);
    }
    progress.clear();
    expect(drawn).toEqual([]);
  });

  test("is drawn at most ten times a second, and shows the newest state within a tenth", async () => {
    const { terminal, clock, drawn, pass } = watched();
    const progress = createProgress(terminal, clock, "rows");
    for (let count = 1; count <= 3_000; count++) {
      if (count % 2 === 0) progress.show(count, undefined);
      else progress.say(`word ${count}`);
      await pass(1);
    }
    expect(drawn.length).toBeGreaterThan(25);
    expect(drawn.length).toBeLessThanOrEqual(31);
    for (const [index, { at }] of drawn.entries()) {
      expect(at - (drawn[index - 1]?.at ?? -100)).toBeGreaterThanOrEqual(100);
    }
    progress.show(4_000, undefined);
    await pass(100);
    expect(drawn.at(-1)?.line).toContain("4,000 rows");
    progress.say("too early to be seen");
    progress.clear();
    await pass(1_000);
    expect(drawn.at(-1)?.line).toBe("");
  });

  test.each([10, 20, 40, 60, 80, 200])("fits into %p columns", async (columns) => {
    const { terminal, clock, drawn, pass } = watched({ columns });
    const progress = createProgress(terminal, clock, "animals");
    await pass(5_000);
    progress.show(123_456_789, 0.25);
    await pass(1_000);
    progress.say("Löschen 狗狗狗狗狗狗狗狗狗狗 of everything that is there", 0.3);
    expect(drawn).toHaveLength(2);
    for (const { line } of drawn) expect(Bun.stringWidth(line)).toBeLessThan(columns);
    if (columns >= 80) expect(drawn[0]?.line).toContain("█");
  });
});

describe("the time left", () => {
  test("is right at a steady speed, and never grows", () => {
    for (const durationMs of [5_000, 60_000, 3_600_000]) {
      const estimate = createEstimate(0);
      let last = Infinity;
      for (let at = 100; at < durationMs; at += 100) {
        const left = estimate.left(at, at / durationMs);
        if (left === undefined) continue;
        expect(Math.abs(left - (durationMs - at))).toBeLessThan(100);
        expect(left).toBeLessThanOrEqual(last);
        last = left;
      }
      expect(last).toBeLessThan(200);
    }
  });

  test("does not jump when the speed does", () => {
    const random = chance();
    for (let round = 0; round < 50; round++) {
      const estimate = createEstimate(0);
      let [share, speed, last] = [0, 1 / 600, undefined as number | undefined];
      for (let at = 100; share < 1 && at < 7_200_000; at += 100) {
        // Stalls and bursts of some seconds.
        if (random.true(1 / 30)) speed = random.true(1 / 4) ? 0 : random.between(1, 40) / 6_000;
        share = Math.min(1, share + speed * 0.1);
        const left = estimate.left(at, share);
        if (left === undefined) continue;
        if (last !== undefined)
          expect(left - last).toBeLessThanOrEqual((last * 0.1 + 500) * 0.1 + 1);
        last = left;
      }
    }
  });

  test("is unknown at first, and is 0 at the end", () => {
    const estimate = createEstimate(1_000);
    expect(estimate.left(1_500, 0.5)).toBeUndefined();
    expect(estimate.left(60_000, 0.001)).toBeUndefined();
    expect(estimate.left(61_000, 1)).toBe(0);
  });

  test.each([
    [0, "1 s"],
    [7_200, "8 s"],
    [31_000, "35 s"],
    [95_000, "2 min"],
    [3_540_000, "59 min"],
    [3_600_000, "1 h"],
    [7_500_000, "2 h 10 min"],
  ])("%p ms are shown as %s", (ms, shown) => {
    expect(roughly(ms)).toBe(shown);
  });
});

describe("--quiet", () => {
  test("every command accepts it", () => {
    for (const { path, flags } of commands) {
      expect([path, flags.some(([, { name }]) => name === "quiet")]).toEqual([path, true]);
    }
  });

  test("silences messages, and leaves data and errors", async () => {
    const here = await installation();
    const made = await here.run("accounts", "create", "A", "--quiet");
    expect([made.exitCode, made.stderr]).toEqual([0, ""]);
    const [{ id } = { id: "" }] = await here.json<{ readonly id: string }[]>("accounts", "list");
    expect(made.stdout).toContain(id);
    const key = await here.run("keys", "create", "--account", id, "--quiet");
    expect([key.stdout, key.stderr]).toEqual([expect.stringMatching(/^pet_live_\w+\n$/), ""]);
    expect((await here.run("keys", "create", "--account", id)).stderr).not.toBe("");
    const none = await here.run("accounts", "rename", "acc_nobody", "B", "--quiet");
    expect([none.exitCode, none.stdout]).toEqual([4, ""]);
    expect(none.stderr).toContain('There is no account "acc_nobody".');
    await Bun.write(here.path("bad.csv"), "colour\nred\n");
    const bad = await here.run("pets", "import", here.path("bad.csv"), "--account", id, "--quiet");
    expect(bad.exitCode).toBe(1);
    expect(bad.stderr).not.toBe("");
  });

  test("silences progress on a terminal, which otherwise leaves nothing behind", async () => {
    const here = await installation();
    await here.json("accounts", "create", "A");
    const folder = await scratch();
    const typed = (file: string) => ["backup", `${folder}/${file}`, "--data-dir", here.dataDir];
    const shown = await onTerminal(typed("a.backup"));
    expect(shown).toContain("\r\u001B[KCopying");
    const last = shown.slice(shown.lastIndexOf("\r\u001B[K"));
    expect(last).toStartWith("\r\u001B[KBacked up to ");
    const quiet = await onTerminal([...typed("b.backup"), "--quiet"]);
    expect(quiet).toStartWith("Backed up to ");
    expect(quiet).not.toContain("\u001B");
  });

  test("a quiet server writes only its data, and serves", async () => {
    const dataDir = `${await scratch()}/data`;
    const child = Bun.spawn(
      [...command, "serve", "--quiet", "--json", "--listen=127.0.0.1:0", "--data-dir", dataDir],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    try {
      let written = "";
      const decoder = new TextDecoder();
      for await (const part of child.stdout) {
        written += decoder.decode(part, { stream: true });
        if (written.endsWith("}\n")) break;
      }
      const { addresses } = JSON.parse(written);
      expect((await fetch(`${addresses.production}/readyz`)).status).toBe(200);
      child.kill("SIGTERM");
      expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""]);
    } finally {
      child.kill("SIGKILL");
    }
  });
});

/** Runs a command on a terminal and returns what it showed. */
async function onTerminal(args: readonly string[]): Promise<string> {
  let screen = "";
  const decoder = new TextDecoder();
  await using terminal = new Bun.Terminal({
    cols: 100,
    rows: 40,
    data: (_, bytes) => {
      screen += decoder.decode(bytes, { stream: true });
    },
  });
  const child = Bun.spawn([...command, ...args], { terminal });
  expect(await child.exited).toBe(0);
  // The end of what a program wrote may arrive after its exit.
  await until(() => screen.endsWith("\n"));
  return screen;
}
