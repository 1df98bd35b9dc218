import { join } from "node:path";

import { bunDigest, bunHandler } from "petstore/bun";
import { bunSqliteStore } from "petstore/stores/bun-sqlite";
import { openService } from "petstore-host-kit";
import { onSigterm } from "petstore-host-kit/sigterm";

const open = async (name) =>
  openService({
    store: await bunSqliteStore({ path: join(process.env.DATA, `${name}.sqlite`) }),
    digest: bunDigest,
  });
const plain = await open("plain");
const staging = await openService({ of: plain, environment: "staging", digest: bunDigest });

const server = Bun.serve({
  routes: {
    "/hello": () => new Response("hello"),
    "/v1/*": bunHandler(await open("root")),
    "/shelter/v1/*": bunHandler(plain, { prefix: "/shelter" }),
    "/staging/v1/*": bunHandler(staging, { prefix: "/staging" }),
    "/of/:city/v1/*": bunHandler(await open("parameter"), { prefix: "/of/:city" }),
    "/proxied/v1/*": bunHandler(await open("proxied"), { prefix: "/proxied", trustProxy: true }),
  },
  fetch: () => new Response("not here", { status: 404 }),
  port: Number(process.env.PORT),
  hostname: "127.0.0.1",
  // Errors are part of the checks; Bun's development error page is not.
  development: false,
});
onSigterm(async () => server.stop());
