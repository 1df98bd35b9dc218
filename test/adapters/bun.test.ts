import { afterEach, expect, test } from "bun:test";

import { bunHandler } from "../../adapters/hosts/bun.ts";
import type { Service } from "../../adapters/hosts/mount.ts";
import { createPetstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { must } from "../helpers/outcome.ts";

let server: Bun.Server<undefined> | undefined;

afterEach(async () => {
  await server?.stop(true);
});

/** Returns the context that it received. */
const witness: Pick<Service, "fetch"> = {
  fetch: (_request, context = {}) => {
    const { address, prefix = "none" } = context;
    return Response.json([typeof address === "function" ? address() : address, prefix]);
  },
};

test("as fetch of Bun.serve it passes the client's address", async () => {
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: bunHandler(witness) });
  expect(await (await fetch(server.url)).json()).toEqual(["127.0.0.1", "none"]);
});

test("as a route of Bun.serve it passes its prefix, and other routes keep working", async () => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: { "/shelter/v1/*": bunHandler(witness, { prefix: "/shelter" }) },
    fetch: () => new Response("elsewhere"),
  });
  const pets = await fetch(new URL("/shelter/v1/pets", server.url));
  expect(await pets.json()).toEqual(["127.0.0.1", "/shelter"]);
  expect(await (await fetch(server.url)).text()).toBe("elsewhere");
});

test("a request without a host, as in HTTP/1.0, gets relative addresses", async () => {
  const petstore = createPetstore({ store: memoryStore(), prefix: "/shelter" });
  const issued = must(await petstore.client.keys.create({}));
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: bunHandler(petstore) });
  let answer = "";
  const ended = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: server.port ?? 0,
    socket: {
      data: (_socket, chunk) => {
        answer += chunk.toString();
      },
      close: () => ended.resolve(),
    },
  });
  const key = issued.token;
  socket.write(`GET /shelter/v1/pets?limit=5 HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await ended.promise;
  expect(answer.slice(0, answer.indexOf("\r\n"))).toBe("HTTP/1.1 200 OK");
  expect(answer).toContain('</shelter/v1/pets?limit=5>; rel="first"');
});
