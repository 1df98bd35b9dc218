import { createServer } from "node:http";

import { H3, toNodeHandler } from "h3";

import { fetchHandler } from "petstore/fetch";

import { nodeVariants } from "./node-service.js";
import { announce } from "./service.js";

/** h3 provides the client's address on the request. */
const address = (request) => request.ip;

announce(
  await nodeVariants({
    "by mount, which takes the path away": {
      path: "/shelter",
      listen: (service) => {
        const fetch = fetchHandler(service, { prefix: "/shelter", address });
        const app = new H3().mount("/shelter", { fetch }).get("/hello", () => "hello");
        return createServer(toNodeHandler(app)).listen(0, "127.0.0.1");
      },
    },
  }),
);
