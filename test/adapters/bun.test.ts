import { afterEach, expect, test } from "bun:test";

import { bunHandler } from "../../adapters/bun.ts";
import type { Service } from "../../adapters/mount.ts";

let server: Bun.Server<undefined> | undefined;

afterEach(async () => {
  await server?.stop(true);
});

/** Tells what it was told. */
const witness: Pick<Service, "fetch"> = {
  fetch: (_request, context = {}) => {
    const { address, prefix = "none" } = context;
    return Response.json([typeof address === "function" ? address() : address, prefix]);
  },
};

test("as fetch of Bun.serve it tells the address of the client", async () => {
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: bunHandler(witness) });
  expect(await (await fetch(server.url)).json()).toEqual(["127.0.0.1", "none"]);
});

test("as a route of Bun.serve it tells its prefix, and other routes stay", async () => {
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
