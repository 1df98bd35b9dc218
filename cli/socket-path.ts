import { closeSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";

import { Failure } from "./exit.ts";

/** A name under which the system takes a socket. */
export interface SocketPath {
  readonly path: string;
  /** After that the name leads nowhere. */
  release(): void;
}

/** `sun_path` has 108 bytes, the last of which is zero (unix(7)). */
const LONGEST = 107;

/** A longer path is abbreviated by way of an open directory, as Linux allows. */
export function socketPath(path: string): SocketPath {
  if (Buffer.byteLength(path) <= LONGEST) return { path, release: () => {} };
  if (process.platform !== "linux") {
    throw new Failure(
      "configuration",
      `The path of the socket, ${path}, is longer than ${LONGEST} bytes. Choose a shorter --data-dir.`,
    );
  }
  const directory = openSync(dirname(path), "r");
  return {
    path: `/proc/self/fd/${directory}/${basename(path)}`,
    release: () => closeSync(directory),
  };
}
