import { pinned, run } from "./child.ts";

/** What `wrk` is to do. */
export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A Lua script, and what it is told. */
  readonly script?: string;
  readonly scriptArguments?: readonly string[];
  readonly seconds: number;
}

const CONNECTIONS = 64;

/** Requests a server answers in a second, all of them well, over 64 connections from one thread. */
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
  // What is refused quickly must not count as served quickly.
  const trouble = /^\s*(Non-2xx.*|Socket errors.*)$/m.exec(report)?.[1];
  if (rate === undefined || trouble !== undefined) {
    throw new Error(`the load on ${url} was not served: ${trouble ?? report}`);
  }
  return Number(rate);
}
