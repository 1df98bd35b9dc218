import { pinned, run } from "./child.ts";

/** The work of `wrk`. */
export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A Lua script and its arguments. */
  readonly script?: string;
  readonly scriptArguments?: readonly string[];
  readonly seconds: number;
}

const CONNECTIONS = 64;

/** Returns how many requests a server completes per second over 64 connections from one thread. Throws if one fails. */
export async function requestsPerSecond(load: Load): Promise<number> {
  const { url, headers = {}, script, scriptArguments = [], seconds } = load;
  const report = await run(
    pinned("load", [
      "wrk",
      "--threads=1",
      `--connections=${CONNECTIONS}`,
      `--duration=${seconds}s`,
      ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
      ...(script === undefined ? [] : ["--script", script]),
      url,
      ...(scriptArguments.length === 0 ? [] : ["--", ...scriptArguments]),
    ]),
  );
  const rate = /^Requests\/sec:\s+([\d.]+)/m.exec(report)?.[1];
  // Fast refusals must not count as successes.
  const trouble = /^\s*(Non-2xx.*|Socket errors.*)$/m.exec(report)?.[1];
  if (rate === undefined || trouble !== undefined) {
    throw new Error(`the load on ${url} was not served: ${trouble ?? report}`);
  }
  return Number(rate);
}
