import { join } from "node:path";

import { Hono } from "hono";

import { honoHandler } from "petstore/hono";
import { bunSqliteStore } from "petstore/stores/bun-sqlite";

import { announce, openService } from "./service.js";

const store = await bunSqliteStore({ path: join(process.argv[2], "hono.sqlite") });
const { service, token } = await openService(store);
const app = new Hono()
  .use("/shelter/*", honoHandler(service))
  .get("/hello", (context) => context.text("hello"));
const server = Bun.serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });

announce({
  "under a prefix": { origin: `http://127.0.0.1:${server.port}`, path: "/shelter", token },
});
