import express from "express";

import { expressHandler } from "petstore/express";

import { nodeVariants } from "./node-service.js";
import { announce } from "./service.js";

function listen(mount) {
  const app = express();
  mount(app);
  app.get("/hello", (_request, response) => response.send("hello"));
  return app.listen(0, "127.0.0.1");
}

announce(
  await nodeVariants({
    "at the root": {
      path: "",
      listen: (service) => listen((app) => app.use(expressHandler(service))),
    },
    "under a prefix": {
      path: "/shelter",
      listen: (service) => listen((app) => app.use("/shelter", expressHandler(service))),
    },
    "under the prefix that it has itself": {
      path: "/shelter",
      options: { prefix: "/shelter" },
      listen: (service) => listen((app) => app.use("/shelter", expressHandler(service))),
    },
    "after a body parser": {
      path: "/shelter",
      listen: (service) =>
        listen((app) =>
          app.use(express.json({ limit: "4mb" })).use("/shelter", expressHandler(service)),
        ),
    },
    "before a body parser": {
      path: "/shelter",
      listen: (service) =>
        listen((app) => app.use("/shelter", expressHandler(service)).use(express.json())),
    },
    "in a router with a parameter": {
      path: "/of/oslo",
      listen: (service) =>
        listen((app) => {
          const router = express.Router({ mergeParams: true });
          app.use("/of/:city", router.use(expressHandler(service)));
        }),
    },
  }),
);
