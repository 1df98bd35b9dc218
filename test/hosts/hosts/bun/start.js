import { bunHandler } from "petstore/bun";
import { openBunService } from "petstore-host-kit/bun";
import { onSigterm } from "petstore-host-kit/sigterm";

const plain = await openBunService("plain");
const staging = await openBunService("staging", { of: plain, environment: "staging" });
const [root, parameter, proxied] = await Promise.all(
  ["root", "parameter", "proxied"].map((name) => openBunService(name)),
);

const server = Bun.serve({
  routes: {
    "/hello": () => new Response("hello"),
    "/v1/*": bunHandler(root),
    "/shelter/v1/*": bunHandler(plain, { prefix: "/shelter" }),
    "/staging/v1/*": bunHandler(staging, { prefix: "/staging" }),
    "/of/:city/v1/*": bunHandler(parameter, { prefix: "/of/:city" }),
    "/proxied/v1/*": bunHandler(proxied, { prefix: "/proxied", trustProxy: true }),
  },
  fetch: () => new Response("not here", { status: 404 }),
  port: Number(process.env.PORT),
  hostname: "127.0.0.1",
  // Errors are part of the checks; Bun's development error page is not.
  development: false,
});
onSigterm(async () => server.stop());
