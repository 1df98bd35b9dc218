import { pinned, run, type Child } from "./child.ts";

/** The work of `wrk`. */
export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A Lua script and its arguments. */
  readonly script?: string;
  readonly scriptArguments?: readonly string[];
  readonly seconds: number;
  /** Default: 64. */
  readonly connections?: number;
}

const CONNECTIONS = 64;
const MICROS: Readonly<Record<string, number>> = { us: 1, ms: 1_000, s: 1_000_000 };

/** What a server did under load. */
export interface Served {
  readonly perSecond: number;
  /** CPU time of the server per request, in microseconds: the same on a busy machine. */
  readonly cpuMicros: number;
  /** The median time of a request, in microseconds. */
  readonly medianMicros: number;
}

/** Returns how many requests a server completes per second over its connections from one thread. Throws if one fails. */
export async function requestsPerSecond(load: Load): Promise<number> {
  return (await wrk(load)).perSecond;
}

/** Puts a server under load and reads its CPU time. */
export async function serve({ cpuMicros }: Child, load: Load): Promise<Served> {
  const before = await cpuMicros();
  const { requests, ...rest } = await wrk(load);
  return { ...rest, cpuMicros: ((await cpuMicros()) - before) / requests };
}

interface Report {
  readonly requests: number;
  readonly perSecond: number;
  readonly medianMicros: number;
}

async function wrk(load: Load): Promise<Report> {
  const { url, headers = {}, script, scriptArguments = [], seconds } = load;
  const { connections = CONNECTIONS } = load;
  const report = await run(
    pinned("load", [
      "wrk",
      "--threads=1",
      "--latency",
      `--connections=${connections}`,
      `--duration=${seconds}s`,
      ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
      ...(script === undefined ? [] : ["--script", script]),
      url,
      ...(scriptArguments.length === 0 ? [] : ["--", ...scriptArguments]),
    ]),
  );
  const rate = /^Requests\/sec:\s+([\d.]+)/m.exec(report)?.[1];
  const requests = /^\s*(\d+) requests in/m.exec(report)?.[1];
  // Fast refusals must not count as successes.
  const trouble = /^\s*(Non-2xx.*|Socket errors.*)$/m.exec(report)?.[1];
  if (rate === undefined || trouble !== undefined) {
    throw new Error(`the load on ${url} was not served: ${trouble ?? report}`);
  }
  const [, time, unit = ""] = /^\s+50%\s+([\d.]+)(us|ms|s)$/m.exec(report) ?? [];
  const medianMicros = Number(time) * (MICROS[unit] ?? Number.NaN);
  return { requests: Number(requests), perSecond: Number(rate), medianMicros };
}
