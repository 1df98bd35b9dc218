import type { Attached } from "./attached.ts";
import { freePort, type Child } from "./child.ts";
import { startProgram } from "./program.ts";
import { connect } from "node:tls";

/** The program with HTTPS and attached domains. */
export interface Secure extends Child {
  readonly httpsPort: number;
}

/** Starts it and resolves when a domain can be visited. */
export async function startSecure(
  name: string,
  command: readonly string[],
  { dataDir, nameOf }: Attached,
): Promise<Secure> {
  const httpsPort = freePort();
  const args = [`--listen-https=127.0.0.1:${httpsPort}`, "--acme=internal"];
  const child = await startProgram(name, command, { dataDir, args });
  while (!(await completesHandshake(httpsPort, nameOf(0)))) await Bun.sleep(2);
  return { ...child, httpsPort };
}

/** Returns whether a local server completes a handshake for the name. */
export function completesHandshake(port: number, servername: string): Promise<boolean> {
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

/** Returns the memory of a process in megabytes. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
