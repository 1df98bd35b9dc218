import { join } from "node:path";
import { pinned, run } from "../child.ts";
import { alternate } from "../compare.ts";
import { program } from "../program.ts";
import { atLeast, figure, type Bench, type Row } from "../row.ts";
import { startSecure, type Secure } from "../secure.ts";

/** Row 9: full handshakes with a different name each time, compared with one name. */
export const handshakes: Row = {
  name: "handshakes",

  measure: async (bench) => {
    const attached = await bench.attached(NAMES);
    await using server = await startSecure("handshakes", program, attached);
    bench.say(`row 9: handshakes with ${NAMES.toLocaleString("en")} names in turn`);
    const inTurn = () => perProcessorSecond(server, "pets*.example.org", NAMES, bench);
    const oneName = () => perProcessorSecond(server, attached.nameOf(0), 1, bench);
    for (const load of [inTurn, oneName]) await load();
    const rates = await alternate(bench.runs, { ours: inTurn, theirs: oneName });
    const what = `full handshakes, ${NAMES.toLocaleString("en")} names in turn`;
    const against = "the same, one name";
    return [figure({ row: 9, what, ...rates, against, unit: "/s" }, atLeast(0.9))];
  },

  smoke: async (bench) => {
    const attached = await bench.attached(FEW);
    await using server = await startSecure("handshakes", program, attached);
    // Each name once, however slow the machine is.
    for (let rest = FEW; rest > 0;) {
      const { made, failed } = await shake(server, "pets*.example.org", FEW, 0.2);
      if (failed > 0) throw new Error(`of ${made + failed} handshakes ${failed} failed`);
      rest -= made;
    }
    const strangers = await shake(server, "nobody*.example.org", FEW, 0.2);
    if (strangers.made > 0) throw new Error("a name that is not attached was served");
    return [];
  },
};

const NAMES = 10_000;
const FEW = 20;
const CONNECTIONS = 32;
const CLIENT = join(import.meta.dir, "../clients/handshakes.ts");

/**
 * Measured by the server's processor time, because a client that verifies signatures has as much work.
 */
async function perProcessorSecond(
  server: Secure,
  pattern: string,
  count: number,
  { seconds }: Bench,
): Promise<number> {
  const before = await server.cpuMicros();
  const { made, failed } = await shake(server, pattern, count, seconds);
  if (failed > 0) throw new Error(`of ${made + failed} handshakes ${failed} failed`);
  return (made / ((await server.cpuMicros()) - before)) * 1e6;
}

async function shake(
  { httpsPort }: Secure,
  pattern: string,
  count: number,
  seconds: number,
): Promise<{ readonly made: number; readonly failed: number }> {
  const numbers = [httpsPort, seconds, CONNECTIONS].map(String);
  const report = await run(
    pinned("load", [process.execPath, CLIENT, ...numbers, pattern, String(count)]),
  );
  return JSON.parse(report) as { readonly made: number; readonly failed: number };
}
