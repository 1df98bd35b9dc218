import Koa from "koa";
import bodyParser from "koa-bodyparser";
import mount from "koa-mount";

import { koaHandler } from "petstore/koa";

import { nodeVariants } from "./node-service.js";
import { announce } from "./service.js";

function listen(use) {
  const app = new Koa();
  // The petstore reports client errors, and disconnections are not errors.
  app.silent = true;
  use(app);
  app.use((context) => {
    if (context.path === "/hello") context.body = "hello";
  });
  return app.listen(0, "127.0.0.1");
}

announce(
  await nodeVariants({
    "at the root": { path: "", listen: (service) => listen((app) => app.use(koaHandler(service))) },
    "after a body parser": {
      path: "/shelter",
      listen: (service) =>
        listen((app) =>
          app.use(bodyParser({ jsonLimit: "4mb" })).use(mount("/shelter", koaHandler(service))),
        ),
    },
  }),
);
