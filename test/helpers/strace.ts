import { dirname } from "node:path";

/** A system call that strace saw, by the lines where it began and ended: calls of several threads overlap. */
interface Call {
  readonly name: string;
  readonly begun: number;
  readonly ended: number;
  /** The file of its descriptor, or the first path that it names. */
  readonly path: string;
  /** The second path that it names. */
  readonly target: string;
  /** As strace writes them. */
  readonly parameters: string;
}

/** The calls that `durabilityOf` judges. */
export const watched =
  "fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,openat,write,pwrite64,writev,pwritev,sendto,ftruncate";

/** What a process did for the files below a directory. */
export interface Durability {
  /** Promises that were made before they were true; empty if none was. */
  readonly faults: readonly string[];
  /** Files that were put under their names, in order. */
  readonly renamed: readonly string[];
  /** For each promise, what it says and the writes and syncs of the write-ahead log since the one before. */
  readonly promises: readonly {
    readonly said: string;
    readonly logWrites: number;
    readonly logSyncs: number;
  }[];
}

/**
 * Judges what `strace -f -y -e trace=<watched>` wrote. A promise is an answer of HTTP with 2xx, or a line that begins
 * with DONE. Before it, what was written to a file below `root` must have been synced, and so must the directory of
 * each name that was made there; a file must be synced before it is renamed. SQLite's database file is left out, as
 * its log is what a commit promises; so are its index, the lock, and the socket.
 */
export function durabilityOf(trace: string, root: string): Durability {
  const faults: string[] = [];
  const renamed: string[] = [];
  const promises: { said: string; logWrites: number; logSyncs: number }[] = [];
  /** By file: where its last write ended. */
  const unsynced = new Map<string, number>();
  /** By name: where it was made. */
  const unnamed = new Map<string, number>();
  let [logWrites, logSyncs] = [0, 0];
  const concerns = (path: string): boolean => path.startsWith(`${root}/`) && !OTHERS.test(path);

  for (const { name, begun, ended, path, target, parameters } of callsOf(trace)) {
    const said = promiseOf(name, parameters);
    if (said !== undefined) {
      for (const file of unsynced.keys()) faults.push(`${said}, but ${file} is not synced`);
      for (const file of unnamed.keys()) faults.push(`${said}, but the name ${file} is not synced`);
      // Each once, at the first promise that it breaks.
      unsynced.clear();
      unnamed.clear();
      promises.push({ said, logWrites, logSyncs });
      [logWrites, logSyncs] = [0, 0];
    } else if (/^f(?:data)?sync$/.test(name)) {
      if (path.endsWith("-wal")) logSyncs++;
      // What was written while the sync ran may have been too late for it.
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

/** What a call promises to somebody outside; undefined for most. */
function promiseOf(name: string, parameters: string): string | undefined {
  if (name !== "sendto" && !name.startsWith("write")) return undefined;
  return /"(HTTP\/1\.1 2\d\d|DONE [^"\\]*)/.exec(parameters)?.[1];
}

const WHOLE = /^(\d+) +(\w+)\((.*)\) += (-?\d+)/;
const BEGUN = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\d+)/;

/** Those that succeeded, by where they ended. */
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
