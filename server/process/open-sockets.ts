import { readdirSync, readFileSync, readlinkSync } from "node:fs";

import { authority } from "../../settings/addresses.ts";

/** An open socket of this process. */
export interface OpenSocket {
  /** Its file descriptor. */
  readonly fd: number;
  readonly protocol: "tcp" | "udp" | "unix";
  /** The port that it is bound to; undefined for other sockets than TCP and UDP. */
  readonly port: number | undefined;
  readonly listening: boolean;
  /** The socket as people read it: `tcp 127.0.0.1:41234 → 127.0.0.1:53`. */
  readonly text: string;
}

/** Lists the sockets of this process. Throws except on Linux with `/proc`. */
export function openSockets(): readonly OpenSocket[] {
  const known = new Map([
    ...internetSockets("tcp"),
    ...internetSockets("tcp6"),
    ...internetSockets("udp"),
    ...internetSockets("udp6"),
    ...unixSockets(),
  ]);
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    const [, inode = ""] = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/self/fd/${fd}`)) ?? [];
    const found = known.get(inode);
    return found === undefined ? [] : [{ ...found, fd: Number(fd) }];
  });
}

/** How many descriptions are worth reading in a log. */
const MAX_DESCRIBED = 20;

/** Describes the sockets and child processes of this process, for the log. Knows none except on Linux with `/proc`. */
export function stillOpen(): string {
  try {
    const children = readdirSync("/proc/self/task").flatMap((thread) =>
      lines(`/proc/self/task/${thread}/children`).flatMap((line) => line.split(" ")),
    );
    const all = [
      ...children.map((child) => `process ${child}`),
      ...openSockets().map(({ text }) => text),
    ];
    const more = all.length - MAX_DESCRIBED;
    const shown = more > 0 ? [...all.slice(0, MAX_DESCRIBED), `${more} more`] : all;
    return shown.length === 0 ? "no socket or process" : shown.join(", ");
  } catch {
    return "unknown";
  }
}

type Described = readonly [inode: string, socket: Omit<OpenSocket, "fd">];

/** proc_net_tcp.txt: `st` of a listening socket. */
const LISTEN = "0A";

function internetSockets(table: "tcp" | "tcp6" | "udp" | "udp6"): readonly Described[] {
  return rows(`/proc/self/net/${table}`).map((line) => {
    const [, local = "", remote = "", state, , , , , , inode = ""] = line.split(/\s+/);
    const listening = state === LISTEN;
    const protocol = table.startsWith("tcp") ? "tcp" : "udp";
    const from = endpoint(local);
    const to = endpoint(remote);
    const way = listening ? " (listening)" : to.port === 0 ? "" : ` → ${authority(to)}`;
    const text = `${protocol} ${authority(from)}${way}`;
    return [inode, { protocol, port: from.port, listening, text }];
  });
}

function unixSockets(): readonly Described[] {
  return rows("/proc/self/net/unix").flatMap((line): readonly Described[] => {
    const [, , , flags = "", , , inode = "", path = ""] = line.split(/\s+/);
    // The pipes of stdin, stdout and stderr have none, and those of child processes.
    if (path === "") return [];
    // net/unix: the flag SO_ACCEPTCON.
    const listening = (Number.parseInt(flags, 16) & 0x1_00_00) !== 0;
    const text = `unix ${path}${listening ? " (listening)" : ""}`;
    return [[inode, { protocol: "unix", port: undefined, listening, text }]];
  });
}

/** Parses `0100007F:1F90`: each 32-bit word of the address is in the byte order of the machine, which is little-endian. */
function endpoint(text: string): { readonly host: string; readonly port: number } {
  const [address = "", port = ""] = text.split(":");
  const words = address.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => [...Buffer.from(word, "hex")].toReversed());
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  );
  const host =
    bytes.length === 4
      ? bytes.join(".")
      : new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
  return { host, port: Number.parseInt(port, 16) };
}

/** Returns the lines below the heading. */
function rows(path: string): readonly string[] {
  return lines(path).slice(1);
}

/** Returns the lines that are not blank; none if the file does not exist, as without IPv6. */
function lines(path: string): readonly string[] {
  try {
    const all = readFileSync(path, "utf8").split("\n");
    return all.map((line) => line.trim()).filter((line) => line !== "");
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // The descriptor that read the directory is closed.
    return "";
  }
}
