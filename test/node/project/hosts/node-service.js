import { once } from "node:events";
import { join } from "node:path";

import { nodeDigest } from "petstore/node";
import { nodeSqliteStore } from "petstore/stores/node-sqlite";

import { openService } from "./service.js";

/** Separate services for each variant, each over a SQLite file below the given directory. */
export async function nodeVariants(variants) {
  const addresses = {};
  for (const [name, { path, listen, options }] of Object.entries(variants)) {
    const store = await nodeSqliteStore({ path: join(process.argv[2], `${name}.sqlite`) });
    const { service, token } = await openService(store, { digest: nodeDigest, ...options });
    const server = await listen(service);
    if (!server.listening) await once(server, "listening");
    addresses[name] = { origin: `http://127.0.0.1:${server.address().port}`, path, token };
  }
  return addresses;
}
