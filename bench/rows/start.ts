import { join } from "node:path";
import { freePort, pinned, startServer } from "../child.ts";
import { alternate } from "../compare.ts";
import { bearer, LIST, startProgram } from "../program.ts";
import { atMost, figure, type Bench, type Row } from "../row.ts";
import { residentMegabytes } from "../secure.ts";

/** Row 16: the time to the first response, and the memory while idle. */
export const start: Row = {
  name: "start",

  measure: async (bench) => {
    const executable = await bench.executable();
    const shelter = await bench.shelter("start");
    bench.say("row 16: start");
    const ours = (port: number): string[] => [
      ...executable,
      "serve",
      `--data-dir=${shelter.dataDir}`,
      `--listen=127.0.0.1:${port}`,
    ];
    const theirs = (port: number): string[] => [process.execPath, EMPTY, String(port)];
    const times = await alternate(bench.runs * 2, {
      ours: () => timeToAnswer(ours, LIST, bearer(shelter.key)),
      theirs: () => timeToAnswer(theirs, "/", {}),
    });
    const memory = await idleMemory(bench);
    const against = "bun, an empty server";
    return [
      figure(
        {
          row: 16,
          what: "start to first answer, compiled",
          ...times,
          against,
          unit: "ms",
          value: times.ours - times.theirs,
        },
        atMost(90, "ms more"),
      ),
      figure(
        {
          row: 16,
          what: "idle memory (RSS), compiled",
          ...memory,
          against,
          unit: "MB",
          value: memory.ours,
        },
        atMost(70, "MB"),
      ),
    ];
  },

  smoke: async (bench) => {
    const shelter = await bench.shelter("start");
    await using ours = await startProgram("start", await bench.executable(), shelter);
    const answer = await fetch(ours.url + LIST, { headers: bearer(shelter.key) });
    if (answer.status !== 200) throw new Error(`the first answer is ${answer.status}`);
    await using empty = await startEmpty(bench);
    if ((await fetch(empty.url)).status !== 200)
      throw new Error("the empty server does not answer");
    return [];
  },
};

const EMPTY = join(import.meta.dir, "../servers/empty.ts");
/** Long enough for late initialization and garbage collection. */
const SETTLE_MS = 5_000;

function startEmpty({ scratch }: Bench): ReturnType<typeof startServer> {
  return startServer({
    name: "empty",
    scratch,
    command: (port) => [process.execPath, EMPTY, String(port)],
  });
}

/** Returns the milliseconds from spawning until a request returns 200. */
async function timeToAnswer(
  command: (port: number) => readonly string[],
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const port = freePort();
  const startedAt = performance.now();
  const child = Bun.spawn(pinned("server", command(port)), {
    stdio: ["ignore", "ignore", "ignore"],
  });
  for (;;) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      await response.arrayBuffer();
      if (response.status === 200) break;
    } catch {
      // Not listening yet.
    }
    if (child.exitCode !== null) throw new Error(`${command(port).join(" ")} ended`);
    await Bun.sleep(0.5);
  }
  const duration = performance.now() - startedAt;
  child.kill("SIGTERM");
  await child.exited;
  return duration;
}

/** Returns the resident megabytes after the first response and a pause. */
async function idleMemory(
  bench: Bench,
): Promise<{ readonly ours: number; readonly theirs: number }> {
  const shelter = await bench.shelter("idle");
  await using ours = await startProgram("idle", await bench.executable(), shelter);
  await using empty = await startEmpty(bench);
  await fetch(ours.url + LIST, { headers: bearer(shelter.key) });
  await Bun.sleep(SETTLE_MS);
  return { ours: await residentMegabytes(ours.pid), theirs: await residentMegabytes(empty.pid) };
}
