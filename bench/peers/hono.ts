/** Hono on Bun with bun:sqlite. Arguments: port, database. */
import { Database } from "bun:sqlite";
import { Hono } from "hono";
import { openPets, statuses, type NewPet } from "./pets.ts";

const [port, file = ""] = process.argv.slice(2);
const pets = openPets(new Database(file));
const app = new Hono();

app.get("/v1/pets", (c) => {
  const status = c.req.query("status") ?? "available";
  const limit = Number(c.req.query("limit") ?? 20);
  if (!statuses.includes(status)) return c.json({ error: "status" }, 400);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) return c.json({ error: "limit" }, 400);
  return c.json(pets.list(status, limit));
});

app.post("/v1/pets", async (c) => {
  const { name, categoryId, status = "available" } = await c.req.json<Partial<NewPet>>();
  if (typeof name !== "string" || name === "") return c.json({ error: "name" }, 400);
  if (typeof categoryId !== "number" || !Number.isInteger(categoryId)) {
    return c.json({ error: "categoryId" }, 400);
  }
  if (!statuses.includes(status)) return c.json({ error: "status" }, 400);
  return c.json(pets.create({ name, categoryId, status }), 201);
});

Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: app.fetch });
