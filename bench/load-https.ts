import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pinned, run } from "./child.ts";
import { percentile } from "./compare.ts";

/** A local server, what it serves, and how it is asked. */
export interface HttpsLoad {
  readonly host: string;
  readonly port: number;
  /** The simultaneous requests of an HTTP/2 connection. Default: HTTP/1.1. */
  readonly streams?: number;
  /** Header fields, `name: value`. */
  readonly fields?: readonly string[];
  readonly seconds: number;
  /** Ends it after so many requests instead, which may take `seconds`. */
  readonly requests?: number;
}

const CONNECTIONS = 64;
/** How long `h2load` may take longer than it is told to. */
const PATIENCE_SECONDS = 30;
/** For times: few enough that no request waits for another one. */
const CALM = { connections: 16, perSecond: 40 };

/** Returns how many requests for `/` of a host a local server completes. Throws if one fails. */
export function httpsRequests(load: HttpsLoad): Promise<number> {
  return h2load(load, [`--clients=${CONNECTIONS}`]);
}

/** Returns the milliseconds that 99 of 100 responses take at most, at 640 requests a second. Throws if a request fails. */
export async function httpsWait(load: HttpsLoad, scratch: string): Promise<number> {
  const file = join(scratch, "h2load.log");
  await rm(file, { force: true });
  const { connections, perSecond } = CALM;
  await h2load(load, [`--clients=${connections}`, `--rps=${perSecond}`, `--log-file=${file}`]);
  const lines = (await Bun.file(file).text()).trimEnd().split("\n");
  // The first requests of each connection wait for its handshake.
  const times = lines.slice(connections * 2).map((line) => Number(line.split("\t")[2]) / 1_000);
  return percentile(times, 0.99);
}

async function h2load(load: HttpsLoad, options: readonly string[]): Promise<number> {
  const { host, port, streams, fields = [], seconds, requests } = load;
  const report = await run(
    pinned("load", [
      "timeout",
      "--signal=KILL",
      String(seconds + PATIENCE_SECONDS),
      "h2load",
      "--threads=1",
      requests === undefined ? `--duration=${seconds}` : `--requests=${requests}`,
      ...(streams === undefined ? ["--h1"] : []),
      `--max-concurrent-streams=${streams ?? 1}`,
      ...fields.map((field) => `--header=${field}`),
      ...options,
      `--connect-to=127.0.0.1:${port}`,
      `https://${host}:${port}/`,
    ]),
  );
  const done = /^requests: \d+ total, \d+ started, (\d+) done/m.exec(report)?.[1];
  const well = /, 0 failed, 0 errored, 0 timeout$[^]*^status codes: \d+ 2xx, 0 3xx, 0 4xx, 0 5xx$/m;
  // Fast refusals must not count.
  if (done === undefined || Number(done) === 0 || !well.test(report)) {
    throw new Error(`the load on ${host} was not served: ${report}`);
  }
  return Number(done);
}
