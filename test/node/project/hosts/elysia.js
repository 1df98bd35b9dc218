import { join } from "node:path";

import { Elysia } from "elysia";

import { fetchHandler } from "petstore/fetch";
import { bunSqliteStore } from "petstore/stores/bun-sqlite";

import { announce, openService } from "./service.js";

const store = await bunSqliteStore({ path: join(process.argv[2], "elysia.sqlite") });
const { service, token } = await openService(store);
let app;
const address = (request) => app.server.requestIP(request)?.address ?? "127.0.0.1";
app = new Elysia()
  .mount("/shelter", fetchHandler(service, { prefix: "/shelter", address }))
  .get("/hello", () => "hello")
  .listen({ port: 0, hostname: "127.0.0.1" });

announce({
  "by mount, which takes the path away": {
    origin: `http://127.0.0.1:${app.server.port}`,
    path: "/shelter",
    token,
  },
});
