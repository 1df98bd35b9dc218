import type { Attached } from "./attached.ts";
import { freePort, type Child } from "./child.ts";
import { startProgram } from "./program.ts";
import { connect } from "node:tls";

/** The program with HTTPS over domains that are attached. */
export interface Secure extends Child {
  readonly httpsPort: number;
}

/** Starts it; resolves when a domain can be visited. */
export async function startSecure(
  name: string,
  command: readonly string[],
  { dataDir, nameOf }: Attached,
): Promise<Secure> {
  const httpsPort = freePort();
  const args = [`--listen-https=127.0.0.1:${httpsPort}`, "--acme=internal"];
  const child = await startProgram(name, command, { dataDir, args });
  while (!(await shakesHands(httpsPort, nameOf(0)))) await Bun.sleep(2);
  return { ...child, httpsPort };
}

/** Returns whether the server at that port of this machine has a certificate to show for the name. */
export function shakesHands(port: number, servername: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false });
    socket.once("secureConnect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
  });
}

/** Seconds of processor time that a process has taken so far. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text();
  // What comes before may hold spaces: the name of the program, in parentheses.
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) / TICKS_A_SECOND;
}

/** What Linux counts in, on every machine there is. */
const TICKS_A_SECOND = 100;

/** Megabytes of memory that a process holds. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
