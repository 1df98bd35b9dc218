import { join } from "node:path";

import { bunHandler } from "petstore/bun";
import { nodeDigest } from "petstore/node";
import { bunSqliteStore } from "petstore/stores/bun-sqlite";

import { announce, openService } from "./service.js";

const variants = {
  "at the root": { path: "", serve: (service) => ({ fetch: bunHandler(service) }) },
  "under a prefix": {
    path: "/shelter",
    serve: (service) => ({
      routes: {
        "/shelter/v1/*": bunHandler(service, { prefix: "/shelter" }),
        "/hello": () => new Response("hello"),
      },
      fetch: () => new Response("not here", { status: 404 }),
    }),
  },
};

const addresses = {};
for (const [name, { path, serve }] of Object.entries(variants)) {
  const store = await bunSqliteStore({ path: join(process.argv[2], `${name}.sqlite`) });
  const { service, token } = await openService(store, { digest: nodeDigest });
  // Errors are part of the test; Bun's development error page is not.
  const server = Bun.serve({
    ...serve(service),
    port: 0,
    hostname: "127.0.0.1",
    development: false,
  });
  addresses[name] = { origin: `http://127.0.0.1:${server.port}`, path, token };
}
announce(addresses);
