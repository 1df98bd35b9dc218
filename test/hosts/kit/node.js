import { join } from "node:path";

import { nodeDigest } from "petstore/node";
import { nodeSqliteStore } from "petstore/stores/node-sqlite";

import { openService } from "./index.js";
import { onSigterm } from "./sigterm.js";

/** Opens a service over a SQLite file of its own, with synchronous hashing: the fastest petstore on Node. */
export async function openNodeService(name, options = {}) {
  const store =
    options.of?.store ??
    (await nodeSqliteStore({ path: join(process.env.DATA, `${name}.sqlite`) }));
  return openService({ digest: nodeDigest, ...options, store });
}

/** Ends the host on SIGTERM: begun requests are answered, idle connections are closed. */
export function closeOnSigterm(server, ...services) {
  onSigterm(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await Promise.all(services.map((service) => service.close()));
  });
}
