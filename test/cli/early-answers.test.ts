import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

import { bunHandler } from "../../adapters/hosts/bun.ts";
import { fetchHandler } from "../../adapters/hosts/fetch.ts";
import { nodeHandler } from "../../adapters/hosts/node.ts";
import { createPetstore, type Petstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { listen } from "../../server/listeners/listener.ts";
import { ampleHoldings } from "../helpers/holdings.ts";
import { startNginx } from "../helpers/nginx.ts";
import { unlimitedKey } from "../helpers/unlimited.ts";
import { presentedFor } from "../helpers/presented.ts";
import { shakeHands } from "../helpers/tls-client.ts";
import { startFront } from "../helpers/tls-front.ts";

// A response to a request whose body was not read arrives whole, also if the connection is closed with it.

let petstore: Petstore;
let token = "";

beforeAll(async () => {
  petstore = createPetstore({ store: memoryStore() });
  token = await unlimitedKey(petstore);
});

afterAll(() => petstore.close());

interface Served extends AsyncDisposable {
  readonly port: number;
  /** Default: without TLS. */
  readonly connect?: () => Promise<Socket>;
}

const hosts: Readonly<Record<string, () => Promise<Served>>> = {
  "the plain listener": async () => {
    const listener = await listen(
      { host: "127.0.0.1", port: 0 },
      "listen",
      (request) => petstore.fetch(request),
      { holdings: ampleHoldings, onError: () => undefined },
    );
    return { port: listener.endpoint.port, [Symbol.asyncDispose]: () => listener.end() };
  },
  "HTTP/1.1 over TLS": async () => {
    const front = await startFront({ fetch: (request) => petstore.fetch(request) });
    front.live.set("one.test", await presentedFor("one", "one.test"));
    return {
      port: front.port,
      connect: () => shakeHands(front.port, { serverName: "one.test" }),
      [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
    };
  },
  "Bun.serve": async () => onBun(bunHandler(petstore)),
  "fetchHandler on Bun.serve": async () => {
    const handler = fetchHandler(petstore);
    return onBun((request) => handler(request));
  },
  "node:http": async () => {
    const server = createServer(nodeHandler(petstore));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    return {
      port: (server.address() as AddressInfo).port,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections();
        server.close();
      },
    };
  },
};

function onBun(fetch: ReturnType<typeof bunHandler>): Served {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, development: false, fetch });
  return { port: server.port ?? 0, [Symbol.asyncDispose]: () => server.stop(true) };
}

interface Refused {
  readonly status: number;
  readonly path: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const refused = (): readonly Refused[] => {
  const authorization = `Bearer ${token}`;
  const json = { "content-type": "application/json" };
  return [
    { status: 413, path: "/v1/pets", headers: { ...json, authorization } },
    { status: 401, path: "/v1/pets", headers: json },
    { status: 401, path: "/v1/pets", headers: { ...json, authorization: "Bearer unknown" } },
    { status: 415, path: "/v1/pets", headers: { "content-type": "text/plain", authorization } },
    { status: 406, path: "/v1/pets", headers: { ...json, authorization, accept: "text/html" } },
    { status: 404, path: "/v1/pats", headers: { ...json, authorization } },
    { status: 405, path: "/v1/pets", method: "PUT", headers: { ...json, authorization } },
    { status: 400, path: "/v1/pets?no=parameter", headers: { ...json, authorization } },
  ];
};

const SIZES = [300_000, 3_000_000];
const TIMES = 30;

describe.each(Object.keys(hosts))("%s", (host) => {
  let served: Served;
  beforeAll(async () => {
    const start = hosts[host];
    if (start === undefined) throw new Error(host);
    served = await start();
  });
  afterAll(() => served[Symbol.asyncDispose]());

  // Proxies speak to us without TLS.
  if (!host.includes("TLS"))
    test("behind nginx, every 413 arrives whole, and every other refusal", async () => {
      await using nginx = await startNginx(served.port);
      for (const size of SIZES) {
        const body = "x".repeat(size);
        const seen: Record<string, number> = {};
        for (const [index, { status, path, method = "POST", headers }] of refused().entries()) {
          for (let time = 0; time < (index === 0 ? TIMES : 2); time++) {
            const response = await nginx.ask(path, { method, headers, body });
            const whole = (JSON.parse(await response.text()) as { readonly status: number }).status;
            const outcome = `${size}: ${status} as ${response.status}, ${whole}`;
            seen[outcome] = (seen[outcome] ?? 0) + 1;
          }
        }
        const expected: Record<string, number> = {};
        for (const [index, { status }] of refused().entries()) {
          const outcome = `${size}: ${status} as ${status}, ${status}`;
          expected[outcome] = (expected[outcome] ?? 0) + (index === 0 ? TIMES : 2);
        }
        expect(seen).toEqual(expected);
      }
    });

  test("a client that sends everything before it reads gets every 413 whole", async () => {
    for (const size of SIZES) {
      for (let time = 0; time < TIMES; time++) {
        const said = await sendAll(served, size);
        expect(said).toStartWith("HTTP/1.1 413 ");
        expect(said).toContain('"code":"payload_too_large"');
      }
    }
  });
});

/** Sends a whole request with `Connection: close`; resolves with the response, rejects if the connection is reset. */
async function sendAll({ port, connect: open }: Served, size: number): Promise<string> {
  const socket = open === undefined ? connect(port, "127.0.0.1") : await open();
  const head = [
    "POST /v1/pets HTTP/1.1",
    "Host: one.test",
    "Connection: close",
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    `Content-Length: ${size}`,
  ];
  return new Promise((resolve, reject) => {
    let received = "";
    socket.on("data", (chunk) => (received += String(chunk)));
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
    socket.write([...head, "", "x".repeat(size)].join("\r\n"));
  });
}
