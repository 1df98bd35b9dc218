import { pinned, run } from "./child.ts";

/** The HTTP versions over TLS: the `h2load` option, and the simultaneous requests per connection. */
export const protocols = {
  "HTTP/1.1": ["--h1", "--max-concurrent-streams=1"],
  "HTTP/2": ["--max-concurrent-streams=10"],
} as const;

const CONNECTIONS = 64;

/** A local server, what it serves, and how it is asked. */
export interface HttpsLoad {
  readonly host: string;
  readonly port: number;
  readonly protocol: keyof typeof protocols;
  /** Header fields, `name: value`. */
  readonly fields?: readonly string[];
  readonly seconds: number;
}

/** Returns how many requests for `/` of a host a local server completes. Throws if one fails. */
export async function httpsRequests(load: HttpsLoad): Promise<number> {
  const { host, port, protocol, fields = [], seconds } = load;
  const report = await run(
    pinned("load", [
      "h2load",
      "--threads=1",
      `--clients=${CONNECTIONS}`,
      `--duration=${seconds}`,
      ...protocols[protocol],
      ...fields.map((field) => `--header=${field}`),
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
