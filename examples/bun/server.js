import { createPetstore } from "petstore";
import { bunHandler } from "petstore/bun";
import { bunSqliteStore } from "petstore/stores/bun-sqlite";

const store = await bunSqliteStore({ path: "pets.sqlite" });
const petstore = createPetstore({ store });
petstore.jobs.start();

Bun.serve({ port: process.env.PORT ?? 3000, fetch: bunHandler(petstore) });
