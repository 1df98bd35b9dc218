import { fetchHandler } from "petstore/fetch";
import { openService } from "petstore-host-kit";

const plain = await openService();
const staging = await openService({ of: plain, environment: "staging" });
const [root, parameter, proxied] = [await openService(), await openService(), await openService()];

/** Deno gives the client's address beside the request. */
const clients = new WeakMap();
const address = (request) => clients.get(request)?.remoteAddr.hostname;

const handlers = {
  "/hello": () => new Response("hello"),
  "/v1/*": fetchHandler(root, { address }),
  "/shelter/v1/*": fetchHandler(plain, { prefix: "/shelter", address }),
  "/staging/v1/*": fetchHandler(staging, { prefix: "/staging", address }),
  "/of/:city/v1/*": fetchHandler(parameter, { prefix: "/of/:city", address }),
  "/proxied/v1/*": fetchHandler(proxied, { prefix: "/proxied", trustProxy: true, address }),
};

const server = Deno.serve(
  { port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1" },
  (request, info) => {
    clients.set(request, info);
    for (const [pattern, handle] of Object.entries(handlers)) {
      if (new URLPattern({ pathname: pattern }).test(request.url)) return handle(request);
    }
    return new Response("none", { status: 404 });
  },
);
Deno.addSignalListener("SIGTERM", async () => {
  await server.shutdown();
  Deno.exit(0);
});
