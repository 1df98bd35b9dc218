import { Controller, Get, Module } from "@nestjs/common";

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

export class AppModule {}
Module({ controllers: [HelloController] })(AppModule);
