import { fetchHandler } from "petstore/fetch";
import { openService } from "petstore-host-kit";

const plain = await openService();
const staging = await openService({ of: plain, environment: "staging" });
const [root, parameter, proxied] = [await openService(), await openService(), await openService()];

/** Deno gives the client's address beside the request. */
const clients = new WeakMap();
const address = (request) => clients.get(request)?.remoteAddr.hostname;

const handlers = {
  shelter: fetchHandler(plain, { prefix: "/shelter", address }),
  staging: fetchHandler(staging, { prefix: "/staging", address }),
  of: fetchHandler(parameter, { prefix: "/of/:city", address }),
  proxied: fetchHandler(proxied, { prefix: "/proxied", trustProxy: true }),
};
const handleRoot = fetchHandler(root, { address });

const server = Deno.serve(
  { port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1" },
  (request, info) => {
    clients.set(request, info);
    const { pathname } = new URL(request.url);
    if (pathname === "/hello") return new Response("hello");
    const [, first, version] = pathname.split("/", 3);
    if (first === "v1") return handleRoot(request);
    const isMounted = version === "v1" || first === "of";
    return (isMounted && handlers[first]?.(request)) || new Response("none", { status: 404 });
  },
);
Deno.addSignalListener("SIGTERM", async () => {
  await server.shutdown();
  Deno.exit(0);
});
