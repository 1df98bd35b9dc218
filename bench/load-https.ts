import { pinned, run } from "./child.ts";

/** The HTTP versions over TLS: the `h2load` option, and the simultaneous requests per connection. */
export const protocols = {
  "HTTP/1.1": ["--h1", "--max-concurrent-streams=1"],
  "HTTP/2": ["--max-concurrent-streams=10"],
} as const;

const CONNECTIONS = 64;

/** Returns how many requests for `/` of a host a local server completes per second. Throws if one fails. */
export async function httpsRequestsPerSecond(
  host: string,
  port: number,
  protocol: keyof typeof protocols,
  seconds: number,
): Promise<number> {
  const report = await run(
    pinned("load", [
      "h2load",
      "--threads=1",
      `--clients=${CONNECTIONS}`,
      `--duration=${seconds}`,
      ...protocols[protocol],
      `--connect-to=127.0.0.1:${port}`,
      `https://${host}:${port}/`,
    ]),
  );
  const rate = /^finished in [\d.]+s, ([\d.]+) req\/s/m.exec(report)?.[1];
  const well = /, 0 failed, 0 errored, 0 timeout$[^]*^status codes: \d+ 2xx, 0 3xx, 0 4xx, 0 5xx$/m;
  // Fast refusals must not count as successes.
  if (rate === undefined || Number(rate) === 0 || !well.test(report)) {
    throw new Error(`the load on ${host} was not served: ${report}`);
  }
  return Number(rate);
}
