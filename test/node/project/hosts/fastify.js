import createFastify from "fastify";

import { fastifyPlugin } from "petstore/fastify";

import { nodeVariants } from "./node-service.js";
import { announce } from "./service.js";

async function listen(mount) {
  const app = createFastify();
  app.get("/hello", async () => "hello");
  mount(app);
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server;
}

function parseJson(app) {
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) =>
    done(null, JSON.parse(text)),
  );
}

announce(
  await nodeVariants({
    "at the root": {
      path: "",
      listen: (service) => listen((app) => app.register(fastifyPlugin(service))),
    },
    "under a prefix": {
      path: "/shelter",
      listen: (service) =>
        listen((app) => app.register(fastifyPlugin(service), { prefix: "/shelter" })),
    },
    "after a body parser": {
      path: "/shelter",
      listen: (service) =>
        listen((app) => {
          app.removeContentTypeParser("application/json");
          parseJson(app);
          app.register(fastifyPlugin(service), { prefix: "/shelter" });
        }),
    },
    "before a body parser": {
      path: "/shelter",
      listen: (service) =>
        listen((app) => {
          app.register(fastifyPlugin(service), { prefix: "/shelter" });
          app.removeContentTypeParser("application/json");
          parseJson(app);
        }),
    },
    "under a prefix with a parameter": {
      path: "/of/oslo",
      listen: (service) =>
        listen((app) => app.register(fastifyPlugin(service), { prefix: "/of/:city" })),
    },
  }),
);
