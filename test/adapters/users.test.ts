import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { bunHandler } from "../../adapters/hosts/bun.ts";
import { expressHandler, type ExpressRequest } from "../../adapters/hosts/express.ts";
import { fastifyPlugin, type FastifyInstance } from "../../adapters/hosts/fastify.ts";
import { fetchHandler } from "../../adapters/hosts/fetch.ts";
import { honoHandler, type HonoContext } from "../../adapters/hosts/hono.ts";
import { koaHandler, type KoaContext } from "../../adapters/hosts/koa.ts";
import type { UserOptions } from "../../adapters/hosts/mount.ts";
import { nodeHandler } from "../../adapters/hosts/node.ts";
import { createPetstore, type Petstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { openOffice } from "../helpers/management.ts";

const petstore = createPetstore({ store: memoryStore() });
const USER = { actor: { id: "7" } };
const PETS = "http://localhost/v1/pets";

/** Options for any kind of request. The adapter must hand in the framework's own. */
type Options = UserOptions<Petstore, never>;
/** Sends a request through an adapter. Returns the status, and what the framework gave the adapter. */
type Send = (options: Options) => Promise<readonly [status: number, incoming: unknown]>;

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** Sends a request to a server whose listener is `handle`. */
async function overHttp(
  handle: (message: IncomingMessage, target: ServerResponse) => unknown,
): Promise<readonly [number, unknown]> {
  let incoming: unknown;
  const server = createServer((message, target) => {
    incoming = handle(message, target);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { status } = await fetch(`http://127.0.0.1:${port}/v1/pets`);
  return [status, incoming];
}

const adapters: Readonly<Record<string, Send>> = {
  nodeHandler: (options) => {
    const handle = nodeHandler(petstore, options as UserOptions<Petstore, IncomingMessage>);
    return overHttp((message, target) => {
      handle(message, target);
      return message;
    });
  },
  expressHandler: (options) => {
    const handle = expressHandler(petstore, options as UserOptions<Petstore, ExpressRequest>);
    return overHttp((message, target) => {
      const more = { originalUrl: message.url ?? "", baseUrl: "", protocol: "http" };
      const request = Object.assign(message, { ...more, app: { get: () => undefined } });
      handle(request, target, () => undefined);
      return request;
    });
  },
  koaHandler: (options) => {
    const handle = koaHandler(petstore, options as UserOptions<Petstore, KoaContext>);
    return overHttp((req, res) => {
      const url = req.url ?? "";
      const more = { originalUrl: url, path: url, protocol: "http", host: "localhost", ip: "" };
      const context: KoaContext = { req, res, request: {}, ...more };
      void handle(context, async () => undefined);
      return context;
    });
  },
  fastifyPlugin: (options) => {
    let handle: Parameters<FastifyInstance["all"]>[1] = async () => undefined;
    const instance: FastifyInstance = {
      prefix: "",
      removeAllContentTypeParsers: () => undefined,
      addContentTypeParser: () => undefined,
      all: (_path, handler) => (handle = handler),
    };
    fastifyPlugin(petstore, options)(instance, {}, () => undefined);
    return overHttp((raw, target) => {
      const more = { protocol: "http", host: "localhost", ip: "", body: undefined };
      const request = { raw, originalUrl: raw.url ?? "", ...more };
      void handle(request, {
        raw: target,
        callNotFound: () => undefined,
        getHeader: () => undefined,
      }).then((response) => target.writeHead((response as Response).status).end());
      return request;
    });
  },
  honoHandler: async (options) => {
    const raw = new Request(PETS);
    const req = { raw, routePath: "/*", arrayBuffer: () => raw.arrayBuffer() };
    const context: HonoContext = { req, env: {}, res: new Response() };
    const handle = honoHandler(petstore, options as UserOptions<Petstore, HonoContext>);
    const response = await handle(context, async () => undefined);
    return [response?.status ?? 404, context];
  },
  bunHandler: async (options) => {
    const request = new Request(PETS);
    const handle = bunHandler(petstore, options as UserOptions<Petstore, Request>);
    return [(await handle(request, { requestIP: () => null })).status, request];
  },
  fetchHandler: async (options) => {
    const request = new Request(PETS);
    const handle = fetchHandler(petstore, options as UserOptions<Petstore, Request>);
    return [(await handle(request)).status, request];
  },
};

for (const [name, send] of Object.entries(adapters)) {
  describe(`${name}:`, () => {
    test("the host finds its user by the framework's own request", async () => {
      let asked: unknown;
      const [status, incoming] = await send({
        principal: (request) => {
          asked = request;
          return USER;
        },
      });
      expect(status).toBe(200);
      expect(asked).toBe(incoming);
    });

    test("without a user the request needs a key", async () => {
      expect((await send({ principal: () => null }))[0]).toBe(401);
      expect((await send({}))[0]).toBe(401);
    });

    test("an error of the host is a 500, and reported once", async () => {
      const reported: unknown[] = [];
      const lost = new Error("no session store");
      const [status] = await send({
        principal: () => Promise.reject(lost),
        onError: (error) => void reported.push(error),
      });
      expect([status, reported]).toEqual([500, [lost]]);
    });
  });
}

test("the management API is mounted like a petstore", async () => {
  const { management, accountId } = await openOffice();
  const handle = fetchHandler(management, {
    prefix: "/shelter",
    principal: () => ({ account: accountId, role: "viewer", actor: { id: "7" } }),
  });
  const get = async (path: string): Promise<unknown> =>
    (await handle(new Request(`http://localhost${path}`))).json();
  const me = { role: "viewer", accountId, name: "7" };
  expect(await get("/shelter/manage/v1/me")).toEqual(me);
  // As a host passes it on that removes the mount.
  expect(await get("/manage/v1/me")).toEqual(me);
  const paths: string[] = [];
  const instance: FastifyInstance = {
    prefix: "",
    removeAllContentTypeParsers: () => undefined,
    addContentTypeParser: () => undefined,
    all: (path) => paths.push(path),
  };
  fastifyPlugin(management)(instance, {}, () => undefined);
  expect(paths).toEqual(["/manage/v1", "/manage/v1/*"]);
});
