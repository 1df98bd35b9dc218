import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createPetstore, type Petstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { must } from "../../testing/shelter.ts";
import { serveHttp1 } from "../../server/listeners/http1/serve.ts";
import { listen } from "../../server/listeners/listener.ts";
import { ampleHoldings } from "../helpers/holdings.ts";
import { halfSaid } from "../helpers/half-said.ts";
import { presentedFor } from "../helpers/presented.ts";
import { shakeHands } from "../helpers/tls-client.ts";
import { startFront } from "../helpers/tls-front.ts";
import { unlimitedKey } from "../helpers/unlimited.ts";

// The invariant: a request that was answered with 4xx had no effect.

let petstore: Petstore;
let token = "";
/** All changes that were committed. */
let effects = "";

/** Commits a few turns of the event loop after it was asked to: what follows a request arrives meanwhile. */
beforeAll(async () => {
  const store = memoryStore();
  petstore = createPetstore({
    store: {
      ...store,
      commit: async (changes, actor) => {
        for (let turn = 0; turn < 5; turn++) await nextTurn();
        effects += JSON.stringify(changes);
        return store.commit(changes, actor);
      },
    },
  });
  token = await unlimitedKey(petstore, ["pets:read", "pets:write", "categories:write"]);
});

afterAll(() => petstore.close());

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

interface Served extends AsyncDisposable {
  readonly connect: () => Promise<Socket>;
}

const answer = (request: Request): Response | Promise<Response> => petstore.fetch(request);

async function plain(): Promise<Served> {
  const listener = await listen({ host: "127.0.0.1", port: 0 }, "listen", answer, {
    holdings: ampleHoldings,
    onError: () => undefined,
  });
  return {
    connect: () => opened(connect({ port: listener.endpoint.port, allowHalfOpen: true })),
    [Symbol.asyncDispose]: () => listener.end(),
  };
}

async function socket(): Promise<Served> {
  const directory = await mkdtemp(join(tmpdir(), "petstore-no-effect-"));
  const path = join(directory, "socket");
  const server = serveHttp1({ unix: path }, { fetch: answer, holdings: ampleHoldings });
  return {
    connect: () => opened(connect({ path, allowHalfOpen: true })),
    [Symbol.asyncDispose]: async () => {
      await server.end();
      await rm(directory, { recursive: true });
    },
  };
}

async function tls(): Promise<Served> {
  const served = await startFront({ fetch: answer });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  return {
    connect: () => shakeHands(served.port, { serverName: "one.test" }),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

async function opened(connection: Socket): Promise<Socket> {
  await new Promise((resolve) => connection.once("connect", resolve));
  return connection;
}

/** Sends parts in turns of their own; resolves with the statuses that arrive until the server closes, or is silent. */
async function statuses(
  connection: Socket,
  parts: readonly string[],
  ends: boolean,
): Promise<readonly number[]> {
  let received = "";
  let closed = false;
  connection.on("data", (chunk) => (received += chunk.toString("latin1")));
  connection.on("error", () => (closed = true));
  connection.on("end", () => (closed = true));
  connection.on("close", () => (closed = true));
  for (const part of parts) {
    connection.write(part, "latin1");
    for (let turn = 0; turn < 3; turn++) await nextTurn();
  }
  if (ends) connection.end();
  // A response ends with its body; its status is enough here.
  while (!closed && !received.includes("\r\n\r\n")) await nextTurn();
  connection.destroy();
  return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}

const hosts = {
  "the plain listener": plain,
  "the socket for commands": socket,
  "HTTP/1.1 over TLS": tls,
};

for (const [host, start] of Object.entries(hosts)) {
  describe(host, () => {
    let served: Served;
    let count = 0;
    beforeAll(async () => {
      served = await start();
    });
    afterAll(() => served[Symbol.asyncDispose]());

    const named = (name: string): string => JSON.stringify({ name });
    const cases = halfSaid([], "{}").map(({ name }) => name);

    test.each(cases)(
      "a request with %s is answered with 4xx only if it had no effect",
      async (name) => {
        const category = `${host} ${count++}`;
        const lines = [
          "POST /v1/categories HTTP/1.1",
          "Host: one.test",
          `Authorization: Bearer ${token}`,
          "Content-Type: application/json",
        ];
        const said = must(
          halfSaid(lines, named(category)).find((one) => one.name === name),
          "case",
        );
        const [first = 0] = await statuses(await served.connect(), said.parts, said.ends === true);
        const created = effects.includes(`"${category}"`);
        expect({ first, created }).toEqual({
          first: said.valid ? 201 : first,
          created: said.valid,
        });
        expect(said.valid || first === 0 || (first >= 400 && first < 500)).toBe(true);
      },
    );
  });
}
