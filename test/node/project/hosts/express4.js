import express from "express4";

import { expressHandler } from "petstore/express";

import { nodeVariants } from "./node-service.js";
import { announce } from "./service.js";

announce(
  await nodeVariants({
    "after a body parser": {
      path: "/shelter",
      listen: (service) =>
        express()
          .use(express.json({ limit: "4mb" }))
          .use("/shelter", expressHandler(service))
          .get("/hello", (_request, response) => response.send("hello"))
          .listen(0, "127.0.0.1"),
    },
  }),
);
