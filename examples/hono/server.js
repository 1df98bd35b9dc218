import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createPetstore } from "petstore";
import { honoHandler } from "petstore/hono";
import { nodeSqliteStore } from "petstore/stores/node-sqlite";

const store = await nodeSqliteStore({ path: "pets.sqlite" });
const petstore = createPetstore({ store });
petstore.jobs.start();

const app = new Hono();
app.use("/shelter/*", honoHandler(petstore));
serve({ fetch: app.fetch, port: process.env.PORT ?? 3000 });
