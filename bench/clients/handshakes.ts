/**
 * Makes full TLS handshakes with a server: `bun handshakes.ts PORT SECONDS CONNECTIONS NAME COUNT`. A `*` in the name
 * stands for the numbers below COUNT in turn. Prints `{ "made": …, "failed": … }`.
 */
import { connect } from "node:tls";

const [port, seconds, connections, pattern = "", count = "1"] = process.argv.slice(2);
const until = performance.now() + Number(seconds) * 1_000;
let made = 0;
let failed = 0;
let next = 0;

function shake(servername: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: "127.0.0.1",
      port: Number(port),
      servername,
      rejectUnauthorized: false,
    });
    const settle = (secure: boolean): void => {
      resolve(secure);
      socket.destroy();
    };
    socket.once("secureConnect", () => settle(true));
    socket.once("error", () => settle(false));
    socket.once("close", () => settle(false));
  });
}

async function keepShaking(): Promise<void> {
  while (performance.now() < until) {
    const name = pattern.replace("*", String(next++ % Number(count)));
    if (await shake(name)) made++;
    else failed++;
  }
}

await Promise.all(Array.from({ length: Number(connections) }, keepShaking));
console.log(JSON.stringify({ made, failed }));
