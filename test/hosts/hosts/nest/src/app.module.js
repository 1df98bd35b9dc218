import { Controller, Dependencies, Get, Module } from "@nestjs/common";
import { HttpAdapterHost } from "@nestjs/core";

import { addMounts } from "./more-mounts.js";

// The decorators as functions, so that no compiler is needed.
class HelloController {
  hello() {
    return "hello";
  }
}
Get("hello")(
  HelloController.prototype,
  "hello",
  Object.getOwnPropertyDescriptor(HelloController.prototype, "hello"),
);
Controller()(HelloController);

/** It is made before Nest adds its parsers of bodies. */
export class AppModule {
  constructor({ httpAdapter }) {
    addMounts(httpAdapter.getInstance());
  }
}
Dependencies(HttpAdapterHost)(AppModule);
Module({ controllers: [HelloController] })(AppModule);
