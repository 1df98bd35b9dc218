/** Fastify on Node with better-sqlite3, with schemas for input and output. Arguments: port, database. */
import Database from "better-sqlite3";
import Fastify from "fastify";
import { openPets, statuses, type NewPet } from "./pets.ts";

const [port, file = ""] = process.argv.slice(2);
const pets = openPets(new Database(file));
const app = Fastify();

const status = { type: "string", enum: statuses, default: "available" } as const;
const pet = {
  type: "object",
  properties: {
    id: { type: "integer" },
    name: { type: "string" },
    categoryId: { type: "integer" },
    status: { type: "string" },
  },
} as const;

app.get<{ Querystring: { status: string; limit: number } }>(
  "/v1/pets",
  {
    schema: {
      querystring: {
        type: "object",
        properties: { status, limit: { type: "integer", minimum: 1, maximum: 100, default: 20 } },
      },
      response: { 200: { type: "array", items: pet } },
    },
  },
  async ({ query }) => pets.list(query.status, query.limit),
);

app.post<{ Body: NewPet }>(
  "/v1/pets",
  {
    schema: {
      body: {
        type: "object",
        required: ["name", "categoryId"],
        properties: {
          name: { type: "string", minLength: 1 },
          categoryId: { type: "integer" },
          status,
        },
      },
      response: { 201: pet },
    },
  },
  async ({ body }, reply) => reply.code(201).send(pets.create(body)),
);

await app.listen({ host: "127.0.0.1", port: Number(port) });
