import { createServer } from "node:http";

import { nodeHandler } from "petstore/node";

import { nodeVariants } from "./node-service.js";
import { announce } from "./service.js";

const listen = (handler) => createServer(handler).listen(0, "127.0.0.1");

announce(
  await nodeVariants({
    "at the root": { path: "", listen: (service) => listen(nodeHandler(service)) },
    "under a prefix of the handler": {
      path: "/shelter",
      listen: (service) => listen(nodeHandler(service, { prefix: "/shelter" })),
    },
    "under a prefix of its own": {
      path: "/shelter",
      options: { prefix: "/shelter" },
      listen: (service) => listen(nodeHandler(service)),
    },
  }),
);
