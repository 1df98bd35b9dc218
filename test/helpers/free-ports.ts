import { createServer } from "node:net";

// Below the ports that the system assigns automatically, so that no other process gets one by chance.
const FIRST = 10_000;
const LAST = 32_000;

/** Returns the first of `run` consecutive free ports; random, because several processes search at the same time. */
export async function freePort(address = "127.0.0.1", run = 1): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const ports = Array.from({ length: run }, (_, index) => port + index);
    const free = await Promise.all(ports.map((one) => isFree(one, address)));
    if (free.every(Boolean)) return port;
  }
}

/** Returns `count` different free ports. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

function isFree(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, address, () => probe.close(() => resolve(true)));
  });
}
