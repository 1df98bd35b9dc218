import { dirname } from "node:path";

/** A traced system call, with the lines where it began and ended: calls of several threads overlap. */
interface Call {
  readonly name: string;
  readonly begun: number;
  readonly ended: number;
  /** The file of its descriptor, or its first path argument. */
  readonly path: string;
  /** Its second path argument. */
  readonly target: string;
  /** In strace's notation. */
  readonly parameters: string;
}

/** The system calls that `durabilityOf` checks. */
export const watched =
  "fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,openat,write,pwrite64,writev,pwritev,sendto,ftruncate";

/** A process's writes below a directory. */
export interface Durability {
  /** Acknowledgements that preceded the necessary syncs. */
  readonly faults: readonly string[];
  /** Renamed files, in order. */
  readonly renamed: readonly string[];
  /** For each acknowledgement, its text and the writes and syncs of the write-ahead log since the previous one. */
  readonly promises: readonly {
    readonly said: string;
    readonly logWrites: number;
    readonly logSyncs: number;
  }[];
}

/**
 * Checks the output of `strace -f -y -e trace=<watched>`. An acknowledgement is an HTTP response with 2xx, or a line that begins
 * with DONE. Before it, data written to a file below `root` must have been synced, and so must the directory of
 * each name that was made there; a file must be synced before it is renamed. SQLite's database file is left out, as
 * its log is what a commit promises; so are its index, the lock, and the socket.
 */
export function durabilityOf(trace: string, root: string): Durability {
  const faults: string[] = [];
  const renamed: string[] = [];
  const promises: { said: string; logWrites: number; logSyncs: number }[] = [];
  /** The line of the last write, by file. */
  const unsynced = new Map<string, number>();
  /** The line of creation, by name. */
  const unnamed = new Map<string, number>();
  let [logWrites, logSyncs] = [0, 0];
  const concerns = (path: string): boolean => path.startsWith(`${root}/`) && !OTHERS.test(path);

  for (const { name, begun, ended, path, target, parameters } of callsOf(trace)) {
    const said = promiseOf(name, parameters);
    if (said !== undefined) {
      for (const file of unsynced.keys()) faults.push(`${said}, but ${file} is not synced`);
      for (const file of unnamed.keys()) faults.push(`${said}, but the name ${file} is not synced`);
      // Reported once, at the first acknowledgement that it affects.
      unsynced.clear();
      unnamed.clear();
      promises.push({ said, logWrites, logSyncs });
      [logWrites, logSyncs] = [0, 0];
    } else if (/^f(?:data)?sync$/.test(name)) {
      if (path.endsWith("-wal")) logSyncs++;
      // A write during the sync may have been too late for it.
      if ((unsynced.get(path) ?? Infinity) < begun) unsynced.delete(path);
      for (const [file, made] of unnamed) {
        if (dirname(file) === path && made < begun) unnamed.delete(file);
      }
    } else if (name.startsWith("rename")) {
      if (!concerns(target)) continue;
      if (unsynced.has(path)) faults.push(`${target} got its name before it was synced`);
      renamed.push(target);
      unsynced.delete(path);
      unnamed.delete(path);
      unnamed.set(target, ended);
    } else if (name.startsWith("unlink")) {
      unsynced.delete(path);
      unnamed.delete(path);
    } else if (!concerns(path)) continue;
    else if (name.startsWith("mkdir") || (name === "openat" && parameters.includes("O_EXCL"))) {
      unnamed.set(path, ended);
    } else if (/write|ftruncate/.test(name)) {
      if (path.endsWith("-wal")) logWrites++;
      unsynced.set(path, ended);
    }
  }
  return { faults, renamed, promises };
}

const OTHERS = /\.(?:db|db-shm|lock|sock)$|-journal$/;

/** Returns the acknowledgement that a call sends; undefined for most calls. */
function promiseOf(name: string, parameters: string): string | undefined {
  if (name !== "sendto" && !name.startsWith("write")) return undefined;
  return /"(HTTP\/1\.1 2\d\d|DONE [^"\\]*)/.exec(parameters)?.[1];
}

const WHOLE = /^(\d+) +(\w+)\((.*)\) += (-?\d+)/;
const BEGUN = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\d+)/;

/** Yields the successful calls, by the line where they ended. */
function* callsOf(trace: string): Generator<Call> {
  const open = new Map<string, { readonly begun: number; readonly parameters: string }>();
  for (const [line, text] of trace.split("\n").entries()) {
    const begun = BEGUN.exec(text);
    if (begun !== null) {
      const [, thread = "", name = "", parameters = ""] = begun;
      open.set(`${thread} ${name}`, { begun: line, parameters });
      continue;
    }
    const resumed = RESUMED.exec(text);
    const whole = resumed ?? WHOLE.exec(text);
    if (whole === null) continue;
    const [, thread = "", name = "", rest = "", result = ""] = whole;
    const earlier = resumed === null ? undefined : open.get(`${thread} ${name}`);
    if (Number(result) < 0) continue;
    const parameters = `${earlier?.parameters ?? ""}${rest}`;
    yield {
      name,
      begun: earlier?.begun ?? line,
      ended: line,
      parameters,
      ...pathsOf(name, parameters),
    };
  }
}

function pathsOf(name: string, parameters: string): Pick<Call, "path" | "target"> {
  const named = [...parameters.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path = ""]) => path);
  const descriptor = /^\d+<([^>]*)>/.exec(parameters)?.[1];
  const byName = /^(?:rename|unlink|mkdir|openat)/.test(name);
  return { path: (byName ? named[0] : descriptor) ?? "", target: named[1] ?? "" };
}
