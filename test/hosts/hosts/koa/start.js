import { createServer } from "node:http";

import cors from "@koa/cors";
import Koa from "koa";
import bodyParser from "koa-bodyparser";
import compress from "koa-compress";
import mount from "koa-mount";

import { koaHandler } from "petstore/koa";
import { closeOnSigterm, openNodeService } from "petstore-host-kit/node";

const names = ["root", "parsed", "before", "parameter", "dressed", "compressed", "proxied"];
const plain = await openNodeService("plain");
const staging = await openNodeService("staging", { of: plain, environment: "staging" });
const [root, parsed, before, parameter, dressed, compressed, proxied] = await Promise.all(
  names.map((name) => openNodeService(name)),
);

const below = (path, ...handlers) => {
  const app = new Koa();
  for (const handler of handlers) app.use(handler);
  return mount(path, app);
};
const dress = (context, next) => {
  context.cookies.set("host", "1");
  context.cookies.set("theme", "dark");
  context.set("x-host", "yes");
  return next();
};
const allowApp = cors({ origin: "https://app.example", credentials: true });

const app = new Koa();
// The petstore reports client errors, and disconnections are not errors.
app.silent = true;
app
  .use(mount("/shelter", koaHandler(plain)))
  .use(mount("/staging", koaHandler(staging)))
  .use(below("/parsed", bodyParser({ jsonLimit: "4mb" }), koaHandler(parsed)))
  .use(below("/before", koaHandler(before), bodyParser()))
  .use(koaHandler(parameter, { prefix: "/of/:city" }))
  .use(below("/dressed", dress, allowApp, koaHandler(dressed)))
  .use(below("/compressed", compress({ threshold: 0 }), koaHandler(compressed)))
  .use(koaHandler(root))
  .use((context) => {
    if (context.path === "/hello") context.body = "hello";
  });

// Trust is a setting of the whole application, so the mount behind a proxy has one of its own.
const behindProxy = new Koa({ proxy: true, maxIpsCount: 1 });
behindProxy.use(mount("/proxied", koaHandler(proxied)));

const [handle, handleBehindProxy] = [app.callback(), behindProxy.callback()];
const server = createServer((request, response) =>
  request.url.startsWith("/proxied/")
    ? handleBehindProxy(request, response)
    : handle(request, response),
).listen(process.env.PORT, "127.0.0.1");
closeOnSigterm(
  server,
  plain,
  staging,
  root,
  parsed,
  before,
  parameter,
  dressed,
  compressed,
  proxied,
);
