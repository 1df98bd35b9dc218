import { join } from "node:path";

import { bunDigest } from "petstore/bun";
import { bunSqliteStore } from "petstore/stores/bun-sqlite";

import { openService } from "./index.js";

/** Opens a service over a SQLite file of its own, with synchronous hashing: the fastest petstore on Bun. */
export async function openBunService(name, options = {}) {
  const store =
    options.of?.store ?? (await bunSqliteStore({ path: join(process.env.DATA, `${name}.sqlite`) }));
  return openService({ digest: bunDigest, ...options, store });
}
