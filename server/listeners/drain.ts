import type { Clock, Log } from "../../lib/index.ts";
import type { Front } from "./front.ts";
import type { Listener } from "./listener.ts";
import { openSockets } from "../process/open-sockets.ts";

/** How often to check for new requests. */
const CHECK_MS = 100;
/** How long to accept further requests: load balancers need a moment to notice /readyz. */
const LEAVING_MS = 5_000;
/** How long to serve queued connections while new ones are refused. */
const SETTLING_MS = 2_000;
/** Time limit from the signal to the end of all requests. */
const DRAIN_MS = 25_000;

/**
 * Drains the server: requests are served with `Connection: close`; once none arrive, or after a while, new connections
 * are refused, queued ones are served, and the requests under way are finished.
 */
export async function drain({
  front,
  listeners,
  refuseConnections,
  clock,
  log,
}: {
  readonly front: Front;
  readonly listeners: readonly Pick<Listener, "pending" | "stop" | "end">[];
  /** Refuses new connections. */
  readonly refuseConnections: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<void> {
  const startedAt = clock.now();
  const quiet = async (patienceMs: number): Promise<void> => {
    const until = clock.now() + patienceMs;
    for (;;) {
      const before = front.requests;
      await clock.sleep(CHECK_MS);
      if (front.requests === before && listeners.every(({ pending }) => pending === 0)) return;
      if (clock.now() >= until) return;
    }
  };
  front.drain();
  await quiet(LEAVING_MS);
  await refuseConnections();
  await quiet(SETTLING_MS);
  const timeout = new AbortController();
  const stopped = Promise.all(listeners.map((listener) => listener.stop())).then(() => true);
  const late = clock
    .sleep(DRAIN_MS - (clock.now() - startedAt), timeout.signal)
    // Aborted: everything has stopped.
    .catch(() => undefined)
    .then(() => false);
  const finished = await Promise.race([stopped, late]);
  timeout.abort();
  if (finished) return;
  const pending = listeners.reduce((sum, listener) => sum + listener.pending, 0);
  log.warn("requests exceeded the time limit and were aborted", { pending });
  await Promise.all(listeners.map((listener) => listener.end()));
}

// asm-generic/socket.h
const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;

/** A classic BPF program over the TCP header: drops segments with SYN but without ACK (RFC 9293 §3.1). */
const DROP_SYN: readonly (readonly [code: number, jt: number, jf: number, k: number])[] = [
  [0x30, 0, 0, 13], // ldb [13]: the flags
  [0x54, 0, 0, 0x12], // and #SYN|ACK
  [0x15, 0, 1, 0x02], // jeq #SYN
  [0x06, 0, 0, 0], // ret #0: drop
  [0x06, 0, 0, 0xffff_ffff], // ret #-1: keep
];

/**
 * Makes the kernel ignore new connections to ports of this process, so that the queue of established ones can be served:
 * closing a listener resets every connection in that queue, with its requests. A client that connects in the meantime repeats
 * its SYN a second later, and reaches the next process or a closed port. Does nothing except on Linux.
 */
export async function dropNewConnections(ports: readonly number[]): Promise<void> {
  if (process.platform !== "linux") return;
  try {
    // Bun.serve does not expose its own.
    const sockets = openSockets().filter(
      ({ listening, port }) => listening && port !== undefined && ports.includes(port),
    );
    const { dlopen, ptr } = await import("bun:ffi");
    const libc = dlopen(LIBC, {
      setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
    });
    const filter = program();
    const described = new DataView(new ArrayBuffer(16));
    described.setUint16(0, DROP_SYN.length, true);
    described.setBigUint64(8, BigInt(ptr(filter)), true);
    for (const { fd } of sockets) {
      libc.symbols.setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, ptr(described.buffer), 16);
    }
    libc.close();
  } catch {
    // No /proc, another libc, or a system that forbids it: queued connections are reset.
  }
}

/** The name of glibc, which the process has loaded. */
const LIBC = "libc.so.6";

/** `struct sock_filter[]` (linux/filter.h), little-endian like all our platforms. */
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
