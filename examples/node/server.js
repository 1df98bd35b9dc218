import { createServer } from "node:http";

import { createPetstore } from "petstore";
import { nodeDigest, nodeHandler } from "petstore/node";
import { nodeSqliteStore } from "petstore/stores/node-sqlite";

const store = await nodeSqliteStore({ path: "pets.sqlite" });
const petstore = createPetstore({ store, digest: nodeDigest });
petstore.jobs.start();

createServer(nodeHandler(petstore)).listen(process.env.PORT ?? 3000);
