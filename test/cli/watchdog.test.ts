import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { freePort } from "../helpers/free-ports.ts";
import { timeUntil } from "../helpers/nodes.ts";
import { command, runProgram, startProgram, type Program } from "../helpers/process.ts";
import { scratch } from "./installation.ts";

const SOURCE = [process.execPath, join(import.meta.dir, "../../server.ts")];
/** In the suite the second is the compiled program. */
const PROGRAMS = [
  ["source", SOURCE],
  ["the tested program", command],
] as const;

const FROZEN = 128 + 6; // SIGABRT

/** A busy machine runs an event loop at least once in this time. */
const ENOUGH = ["--watchdog", "5s"];
const LONGER_MS = 6_000;

/** Starts a server that runs `code` at its start. SIGUSR2 blocks its event loop for so long, by default forever. */
async function start(
  program: readonly string[],
  args: readonly string[],
  { code = "", blockMs = Infinity } = {},
): Promise<Program> {
  const path = join(await scratch(), "before.ts");
  await writeFile(
    path,
    `${code}
    process.on("SIGUSR2", () => {
      if (${blockMs} < Infinity) Bun.sleepSync(${blockMs});
      else while (true);
    });`,
  );
  return startProgram({ command: program, args, env: { BUN_OPTIONS: `--preload=${path}` } });
}

describe.each(PROGRAMS)("the watchdog of %s", (_, program) => {
  test.concurrent("ends a frozen process by SIGABRT, with a line in the log", async () => {
    await using server = await start(program, ["--watchdog", "1s"]);
    expect(await server.end("SIGUSR2")).toBe(FROZEN);
    const line = server.output().trimEnd().split("\n").at(-1) ?? "";
    const { time, ...rest } = JSON.parse(line);
    expect(rest).toEqual({
      level: "error",
      message: "the event loop has not run for 1 s; the process aborts",
    });
    expect(time).toStartWith("20");
  });

  test.concurrent("leaves a process alone that was suspended for longer than its time", async () => {
    await using server = await start(program, ENOUGH);
    process.kill(server.pid, "SIGSTOP");
    await Bun.sleep(LONGER_MS);
    process.kill(server.pid, "SIGCONT");
    expect((await fetch(`${server.origin}/livez`)).status).toBe(200);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(server.output()).not.toContain("event loop");
  });

  test.concurrent("does not watch a declared long step", async () => {
    // A checkpoint at the end, of which SQLite makes one when the last connection closes.
    const code = `
      import { Database } from "bun:sqlite";
      const { close } = Database.prototype;
      Database.prototype.close = function (...args) {
        if (this.filename.endsWith("petstore.db")) Bun.sleepSync(${LONGER_MS});
        return close.apply(this, args);
      };`;
    await using server = await start(program, ENOUGH, { code });
    const startedAt = performance.now();
    expect(await server.end("SIGTERM")).toBe(0);
    expect(performance.now() - startedAt).toBeGreaterThan(LONGER_MS);
  });

  test.concurrent("does not watch a commit, in which SQLite may copy a log of gigabytes", async () => {
    const code = `
      import { Database } from "bun:sqlite";
      let isSlow = false;
      process.on("SIGURG", () => {
        isSlow = true;
        console.error("slow from now on");
      });
      const { prepare } = Database.prototype;
      Database.prototype.prepare = function (text, ...args) {
        const statement = prepare.call(this, text, ...args);
        if (text !== "COMMIT") return statement;
        return {
          finalize: () => statement.finalize(),
          all: () => {
            if (!isSlow) return statement.all();
            isSlow = false;
            Bun.sleepSync(${LONGER_MS});
            console.error("slow no longer");
            return statement.all();
          },
        };
      };`;
    await using server = await start(program, ENOUGH, { code });
    process.kill(server.pid, "SIGURG");
    await timeUntil(async () => server.output().includes("slow from now on"), 60_000);
    // Its exit code tells nothing: if a commit of the server's own was the slow one, this command gives up.
    await runProgram(["accounts", "create", "A", "--data-dir", server.dataDir]);
    await timeUntil(async () => server.output().includes("slow no longer"), 60_000);
    expect((await fetch(`${server.origin}/livez`)).status).toBe(200);
    expect(await server.end("SIGTERM")).toBe(0);
  });

  test.concurrent("counts a stall that ends, and can be turned off", async () => {
    const port = await freePort();
    const stalls = async (): Promise<string | undefined> => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return /^petstore_event_loop_stalled_total (\d+)$/m.exec(text)?.[1];
    };
    const listen = ["--metrics-listen", `127.0.0.1:${port}`];
    {
      await using server = await start(program, [...listen, "--watchdog", "6s"], {
        blockMs: 2_000,
      });
      expect(await stalls()).toBe("0");
      process.kill(server.pid, "SIGUSR2");
      await timeUntil(async () => (await stalls()) === "1", 60_000);
      expect(await server.end("SIGTERM")).toBe(0);
    }
    await using server = await start(program, [...listen, "--watchdog", "0"], { blockMs: 2_000 });
    process.kill(server.pid, "SIGUSR2");
    expect(await stalls()).toBe("0");
    expect(await server.end("SIGTERM")).toBe(0);
  });
});
