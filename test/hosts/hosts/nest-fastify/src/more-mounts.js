import { FastifyAdapter } from "@nestjs/platform-fastify";

import { fastifyPlugin } from "petstore/fastify";
import { openService } from "petstore-host-kit";
import { stagingOf } from "petstore-host-kit/recipe";

/** An application of its own, because the setting is one of the application. */
const behindProxy = new FastifyAdapter({ trustProxy: "127.0.0.1" }).getInstance();
behindProxy.register(fastifyPlugin(await openService()), { prefix: "/proxied" });
await behindProxy.ready();
const parameter = await openService();

export function addMounts(app) {
  app.addHook("onRequest", async (request, reply) => {
    if (!request.originalUrl.startsWith("/proxied/")) return;
    reply.hijack();
    behindProxy.routing(request.raw, reply.raw);
  });
  app.register(fastifyPlugin(parameter), { prefix: "/of/:city" });
  app.register(fastifyPlugin(stagingOf("/shelter")), { prefix: "/staging" });
}
