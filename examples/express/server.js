import express from "express";
import { createPetstore } from "petstore";
import { expressHandler } from "petstore/express";
import { nodeSqliteStore } from "petstore/stores/node-sqlite";

const store = await nodeSqliteStore({ path: "pets.sqlite" });
const petstore = createPetstore({ store });
petstore.jobs.start();

const app = express();
app.use("/shelter", expressHandler(petstore));
app.listen(process.env.PORT ?? 3000);
