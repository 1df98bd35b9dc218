import { createServer } from "node:http";

import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import cors from "@fastify/cors";
import createFastify from "fastify";

import { fastifyPlugin } from "petstore/fastify";
import { openNodeService } from "petstore-host-kit/node";
import { onSigterm } from "petstore-host-kit/sigterm";

const names = ["root", "parsed", "before", "parameter", "dressed", "compressed", "proxied"];
const plain = await openNodeService("plain");
const staging = await openNodeService("staging", { of: plain, environment: "staging" });
const [root, parsed, before, parameter, dressed, compressed, proxied] = await Promise.all(
  names.map((name) => openNodeService(name)),
);

function parseJson(app) {
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) =>
    done(null, JSON.parse(text)),
  );
}

// Trust is a setting of the whole application, so the mount behind a proxy has one of its own.
// Fastify trusts no proxy where the setting is a number.
const behindProxy = createFastify({ trustProxy: "127.0.0.1" });
behindProxy.register(fastifyPlugin(proxied), { prefix: "/proxied" });
await behindProxy.ready();

const serverFactory = (handle) =>
  createServer((request, response) =>
    request.url.startsWith("/proxied/")
      ? behindProxy.routing(request, response)
      : handle(request, response),
  );
const app = createFastify({ serverFactory });
app.get("/hello", async () => "hello");
app.register(fastifyPlugin(plain), { prefix: "/shelter" });
app.register(fastifyPlugin(staging), { prefix: "/staging" });
app.register(async (scope) => {
  parseJson(scope);
  scope.register(fastifyPlugin(parsed), { prefix: "/parsed" });
});
app.register(async (scope) => {
  scope.register(fastifyPlugin(before), { prefix: "/before" });
  parseJson(scope);
});
app.register(fastifyPlugin(parameter), { prefix: "/of/:city" });
app.register(async (scope) => {
  await scope.register(cookie);
  await scope.register(cors, { origin: ["https://app.example"], credentials: true });
  scope.addHook("onRequest", async (_request, reply) => {
    reply.setCookie("host", "1").setCookie("theme", "dark").header("x-host", "yes");
  });
  scope.register(fastifyPlugin(dressed), { prefix: "/dressed" });
});
app.register(async (scope) => {
  await scope.register(compress, { threshold: 0 });
  scope.register(fastifyPlugin(compressed), { prefix: "/compressed" });
});
app.register(fastifyPlugin(root));

await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
onSigterm(async () => app.close());
