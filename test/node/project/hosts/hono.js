import { once } from "node:events";

import { serve } from "@hono/node-server";
import { Hono } from "hono";

import { honoHandler } from "petstore/hono";

import { nodeVariants } from "./node-service.js";
import { announce } from "./service.js";

async function listen(mount) {
  const app = new Hono();
  mount(app);
  app.get("/hello", (context) => context.text("hello"));
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  if (!server.listening) await once(server, "listening");
  return server;
}

/** Reads bodies as JSON, like validators. */
const parser = async (context, next) => {
  if (context.req.header("content-type") === "application/json") await context.req.json();
  await next();
};

announce(
  await nodeVariants({
    "at the root": {
      path: "",
      listen: (service) => listen((app) => app.use(honoHandler(service))),
    },
    "under a prefix": {
      path: "/shelter",
      listen: (service) => listen((app) => app.use("/shelter/*", honoHandler(service))),
    },
    "under a path as deep as the version": {
      path: "/shelter",
      options: { prefix: "/shelter" },
      listen: (service) => listen((app) => app.all("/shelter/v1/*", honoHandler(service))),
    },
    "after a body parser": {
      path: "/shelter",
      listen: (service) => listen((app) => app.use(parser).use("/shelter/*", honoHandler(service))),
    },
    "before a body parser": {
      path: "/shelter",
      listen: (service) => listen((app) => app.use("/shelter/*", honoHandler(service)).use(parser)),
    },
    "as a part with a parameter": {
      path: "/of/oslo",
      listen: (service) =>
        listen((app) => app.route("/of/:city", new Hono().use("/*", honoHandler(service)))),
    },
  }),
);
