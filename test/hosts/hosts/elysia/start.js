import { cors } from "@elysiajs/cors";
import { Elysia } from "elysia";

import { fetchHandler } from "petstore/fetch";
import { openBunService } from "petstore-host-kit/bun";
import { onSigterm } from "petstore-host-kit/sigterm";

const plain = await openBunService("plain");
const staging = await openBunService("staging", { of: plain, environment: "staging" });

let server;
const address = (request) => server.requestIP(request)?.address;
/** Elysia's `mount` makes another request, of which the server does not know the client. */
const at = (service, prefix, options) => {
  const handle = fetchHandler(service, { prefix, address, ...options });
  return ({ request }) => handle(request);
};
const unparsed = { parse: "none" };

const app = new Elysia()
  .get("/hello", () => "hello")
  .all("/v1/*", at(await openBunService("root")), unparsed)
  .all("/shelter/v1/*", at(plain, "/shelter"), unparsed)
  .all("/staging/v1/*", at(staging, "/staging"), unparsed)
  .all("/of/:city/v1/*", at(await openBunService("parameter"), "/of/:city"), unparsed)
  .all(
    "/proxied/v1/*",
    at(await openBunService("proxied"), "/proxied", { trustProxy: true }),
    unparsed,
  );

// The CORS plugin is for a whole application.
const dressed = new Elysia()
  .onRequest(({ set }) => {
    set.headers["x-host"] = "yes";
  })
  .onBeforeHandle(({ cookie }) => {
    cookie.host.value = "1";
    cookie.theme.value = "dark";
  })
  .use(cors({ origin: "https://app.example", credentials: true }))
  .all("/dressed/v1/*", at(await openBunService("dressed", { cors: false }), "/dressed"), unparsed);

server = Bun.serve({
  fetch: (request) => (/^[^?]*\/dressed\//.test(request.url) ? dressed : app).fetch(request),
  port: Number(process.env.PORT),
  hostname: "127.0.0.1",
});
onSigterm(async () => server.stop());
