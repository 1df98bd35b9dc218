import { Hono } from "hono";
import { compress } from "hono/compress";
import { setCookie } from "hono/cookie";
import { cors } from "hono/cors";

import { honoHandler } from "petstore/hono";

/** Reads bodies as JSON, like validators. */
const parser = async (context, next) => {
  if (context.req.header("content-type") !== "application/json") return next();
  try {
    JSON.parse((await context.req.text()) || "null");
  } catch {
    return context.text("Malformed JSON", 400);
  }
  return next();
};
const dress = async (context, next) => {
  setCookie(context, "host", "1");
  setCookie(context, "theme", "dark");
  context.header("x-host", "yes");
  await next();
};
const allowApp = cors({ origin: "https://app.example", credentials: true });

/** Mounts services that `open` opens by name. */
export async function createApp(open) {
  const plain = await open("plain");
  const services = [plain];
  const named = async (name, options) => {
    const service = await open(name, options);
    services.push(service);
    return service;
  };
  const app = new Hono()
    .use("/shelter/*", honoHandler(plain))
    .use("/staging/*", honoHandler(await named("staging", { of: plain, environment: "staging" })))
    .use("/parsed/*", parser, honoHandler(await named("parsed")))
    .use("/before/*", honoHandler(await named("before")), parser)
    .route("/of/:city", new Hono().use("/*", honoHandler(await named("parameter"))))
    .use("/dressed/*", dress, allowApp, honoHandler(await named("dressed")))
    .use("/compressed/*", compress({ threshold: 0 }), honoHandler(await named("compressed")))
    .use("/proxied/*", honoHandler(await named("proxied"), { trustProxy: true }))
    .use(honoHandler(await named("root")))
    .get("/hello", (context) => context.text("hello"));
  return { app, close: () => Promise.all(services.map((service) => service.close())) };
}
