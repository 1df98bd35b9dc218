// The same on Fastify, with an https server of its own.
import createFastify from "fastify";
import { closeRemoved, httpsServerOptions } from "petstore/domains";
import { fastifyPlugin } from "petstore/fastify";

import { admin, custom, early, page, petstore, run, settings } from "./shop.js";

/** Makes one of the two servers: Fastify has one for each. */
function createApp(https) {
  // One proxy in front: its X-Forwarded-For is the client's address.
  const app = createFastify({ https, trustProxy: settings.trustProxy ? 1 : false });
  // Before all other routes and hooks that redirect.
  app.addHook("onRequest", async (request, reply) => {
    const { method, hostname, url: target, protocol } = request;
    const host = hostname.toLowerCase();
    const answer = early({ method, host, target, secure: protocol === "https" });
    return answer === undefined ? undefined : reply.send(await answer);
  });
  app.register(fastifyPlugin(petstore));
  app.all("/admin/*", ({ method, url, headers }) =>
    admin(new Request(new URL(url, "http://localhost"), { method, headers })),
  );
  app.get("/", (request, reply) => reply.type("text/html").send(page(request.hostname)));
  return app;
}

const plain = createApp(null);
const secure = createApp(httpsServerOptions({ certificateFor: custom.certificateFor }));
closeRemoved(secure.server, custom); // ends the open connections of a removed domain

await plain.listen({ port: settings.httpPort, host: settings.listen });
await secure.listen({ port: settings.httpsPort, host: settings.listen });
run(
  () => plain.close(),
  () => secure.close(),
);
