/** Elysia on Bun with bun:sqlite, validated by its own schemas. Arguments: port, database. */
import { Database } from "bun:sqlite";
import { Elysia, t } from "elysia";
import { openPets } from "./pets.ts";

const [port, file = ""] = process.argv.slice(2);
const pets = openPets(new Database(file));
const status = t.Union([t.Literal("available"), t.Literal("pending"), t.Literal("sold")]);

new Elysia()
  .get("/v1/pets", ({ query }) => pets.list(query.status ?? "available", query.limit ?? 20), {
    query: t.Object({
      status: t.Optional(status),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 100 })),
    }),
  })
  .post(
    "/v1/pets",
    ({ body, set }) => {
      set.status = 201;
      return pets.create({ ...body, status: body.status ?? "available" });
    },
    {
      body: t.Object({
        name: t.String({ minLength: 1 }),
        categoryId: t.Integer(),
        status: t.Optional(status),
      }),
    },
  )
  .listen({ hostname: "127.0.0.1", port: Number(port) });
