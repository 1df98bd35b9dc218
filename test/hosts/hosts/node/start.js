import { createServer } from "node:http";

import { nodeHandler } from "petstore/node";
import { closeOnSigterm, openNodeService } from "petstore-host-kit/node";

const plain = await openNodeService("plain");
const root = await openNodeService("root");
const parameter = await openNodeService("parameter");
const dressed = await openNodeService("dressed", { prefix: "/dressed" });
const proxied = await openNodeService("proxied");
const staging = await openNodeService("staging", { of: plain, environment: "staging" });

const handlers = {
  shelter: nodeHandler(plain, { prefix: "/shelter" }),
  of: nodeHandler(parameter, { prefix: "/of/:city" }),
  dressed: nodeHandler(dressed),
  proxied: nodeHandler(proxied, { prefix: "/proxied", trustProxy: true }),
  staging: nodeHandler(staging, { prefix: "/staging" }),
};
const handleRoot = nodeHandler(root);

/** The host's own headers; true if it has answered. */
function dress(request, response) {
  response.setHeader("set-cookie", ["host=1", "theme=dark"]);
  response.setHeader("x-host", "yes");
  response.setHeader("vary", "Origin");
  response.setHeader("access-control-allow-origin", "https://app.example");
  response.setHeader("access-control-allow-credentials", "true");
  if (request.method !== "OPTIONS") return false;
  response.setHeader("access-control-allow-methods", "GET, POST");
  response.setHeader("access-control-allow-headers", "authorization, content-type");
  response.writeHead(204).end();
  return true;
}

const server = createServer((request, response) => {
  if (request.url === "/hello") return response.end("hello");
  const [, first] = request.url.split("/", 2);
  if (first === "dressed" && dress(request, response)) return undefined;
  return (handlers[first] ?? handleRoot)(request, response);
}).listen(process.env.PORT, "127.0.0.1");
closeOnSigterm(server, plain, root, parameter, dressed, proxied, staging);
