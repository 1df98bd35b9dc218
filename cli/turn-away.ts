import { readdirSync, readFileSync, readlinkSync } from "node:fs";

// asm-generic/socket.h
const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;

/** A classic BPF program over the TCP header: drops what has SYN and not ACK (RFC 9293 §3.1), keeps the rest. */
const DROP_SYN: readonly (readonly [code: number, jt: number, jf: number, k: number])[] = [
  [0x30, 0, 0, 13], // ldb [13]: the flags
  [0x54, 0, 0, 0x12], // and #SYN|ACK
  [0x15, 0, 1, 0x02], // jeq #SYN
  [0x06, 0, 0, 0], // ret #0: drop
  [0x06, 0, 0, 0xffff_ffff], // ret #-1: keep
];

/**
 * Makes the kernel ignore new connections to ports where this process listens, so that the queue of established ones
 * can be served: closing a listener resets every connection in that queue, requests included. A client that connects
 * meanwhile sends its SYN again a second later, and finds the next process or a closed port. Linux only; elsewhere
 * this does nothing.
 */
export async function turnAwayNewConnections(ports: readonly number[]): Promise<void> {
  if (process.platform !== "linux") return;
  try {
    const sockets = listening(ports);
    const { dlopen, ptr } = await import("bun:ffi");
    const libc = dlopen(LIBC, {
      setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
    });
    const filter = program();
    const described = new DataView(new ArrayBuffer(16));
    described.setUint16(0, DROP_SYN.length, true);
    described.setBigUint64(8, BigInt(ptr(filter)), true);
    for (const socket of sockets) {
      libc.symbols.setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, ptr(described.buffer), 16);
    }
    libc.close();
  } catch {
    // No /proc, another libc, or a system that forbids it: the queue is closed as it is.
  }
}

/** The name of glibc, which the process has loaded already. */
const LIBC = "libc.so.6";

/** `struct sock_filter[]` (linux/filter.h), little-endian as every platform of ours. */
function program(): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(DROP_SYN.length * 8));
  for (const [index, [code, jt, jf, k]] of DROP_SYN.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, jt);
    bytes.setUint8(index * 8 + 3, jf);
    bytes.setUint32(index * 8 + 4, k, true);
  }
  return new Uint8Array(bytes.buffer);
}

/** File descriptors of this process that listen on one of the ports. Bun.serve does not expose its own. */
function listening(ports: readonly number[]): readonly number[] {
  const inodes = new Set<string>();
  for (const table of ["tcp", "tcp6"]) {
    for (const line of readFileSync(`/proc/self/net/${table}`, "utf8").split("\n").slice(1)) {
      const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
      const port = Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16);
      if (state === LISTEN && inode !== undefined && ports.includes(port)) inodes.add(inode);
    }
  }
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    const [, inode = ""] = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/self/fd/${fd}`)) ?? [];
    return inodes.has(inode) ? [Number(fd)] : [];
  });
}

const LISTEN = "0A";

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // The descriptor that read the directory is closed by now.
    return "";
  }
}
