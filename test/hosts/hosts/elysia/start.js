import { cors } from "@elysiajs/cors";
import { Elysia } from "elysia";

import { bunDigest } from "petstore/bun";
import { fetchHandler } from "petstore/fetch";
import { openService } from "petstore-host-kit";
import { onSigterm } from "petstore-host-kit/sigterm";

const open = (options) => openService({ digest: bunDigest, ...options });
const plain = await open();
const staging = await open({ of: plain, environment: "staging" });

let app;
const address = (request) => app.server.requestIP(request)?.address;
const at = (service, prefix) => fetchHandler(service, { prefix, address });

app = new Elysia()
  .get("/hello", () => "hello")
  .mount("/shelter", at(plain, "/shelter"))
  .mount("/staging", at(staging, "/staging"))
  .mount("/proxied", fetchHandler(await open(), { prefix: "/proxied", trustProxy: true }))
  .use(
    new Elysia({ prefix: "/dressed" })
      .use(cors({ origin: "app.example", credentials: true }))
      .onRequest(({ set }) => {
        set.headers["x-host"] = "yes";
      })
      .mount(at(await open(), "/dressed")),
  )
  .listen({ port: Number(process.env.PORT), hostname: "127.0.0.1" });
onSigterm(async () => app.stop());
