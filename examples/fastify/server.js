import createFastify from "fastify";
import { createPetstore } from "petstore";
import { fastifyPlugin } from "petstore/fastify";
import { nodeSqliteStore } from "petstore/stores/node-sqlite";

const store = await nodeSqliteStore({ path: "pets.sqlite" });
const petstore = createPetstore({ store });
petstore.jobs.start();

const app = createFastify();
app.register(fastifyPlugin(petstore), { prefix: "/shelter" });
await app.listen({ port: process.env.PORT ?? 3000 });
