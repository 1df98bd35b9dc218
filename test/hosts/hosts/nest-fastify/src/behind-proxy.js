import { FastifyAdapter } from "@nestjs/platform-fastify";

import { fastifyPlugin } from "petstore/fastify";
import { openService } from "petstore-host-kit";

/** An application of its own, because the setting is one of the application. */
const behindProxy = new FastifyAdapter({ trustProxy: "127.0.0.1" }).getInstance();
behindProxy.register(fastifyPlugin(await openService()), { prefix: "/proxied" });
await behindProxy.ready();

export function mountBehindProxy(app) {
  app.addHook("onRequest", async (request, reply) => {
    if (!request.originalUrl.startsWith("/proxied/")) return;
    reply.hijack();
    behindProxy.routing(request.raw, reply.raw);
  });
}
