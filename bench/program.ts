import { dirname, join } from "node:path";
import { startServer, type Child } from "./child.ts";

export const ROOT: string = join(import.meta.dir, "..");

/** Runs the program from source. */
export const source: readonly string[] = [process.execPath, join(ROOT, "server.ts")];

const compiled = process.env["TEST_EXECUTABLE"];

/** Runs the program from source, except in tests, which measure nothing: there the compiled one, which starts four times as fast. */
export const program: readonly string[] = compiled === undefined ? source : [join(ROOT, compiled)];

/** Starts the program on a data directory, like a user. */
export function startProgram(
  name: string,
  command: readonly string[],
  {
    dataDir,
    args = [],
    port: wanted,
    env = {},
  }: {
    readonly dataDir: string;
    /** Further options of `serve`. */
    readonly args?: readonly string[];
    /** Default: a free one. */
    readonly port?: number;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<Child> {
  return startServer({
    name,
    scratch: dirname(dataDir),
    probe: "/readyz",
    env,
    ...(wanted === undefined ? {} : { port: wanted }),
    command: (port) => [
      ...command,
      "serve",
      `--data-dir=${dataDir}`,
      `--listen=127.0.0.1:${port}`,
      ...args,
    ],
  });
}

/** The request of row 1, for `wrk` and `fetch`. */
export const LIST = "/v1/pets?status=available&limit=20";

/** For `fetch`, which requests compressed bodies by default; load tools do not. */
export function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}`, "accept-encoding": "identity" };
}
