import { createServer } from "node:http";

import { H3, handleCors, setCookie, toNodeHandler } from "h3";

import { fetchHandler } from "petstore/fetch";
import { closeOnSigterm, openNodeService } from "petstore-host-kit/node";

/** h3 provides the client's address on the request. */
const address = (request) => request.ip;
const names = ["root", "parameter", "dressed", "proxied"];
const plain = await openNodeService("plain");
const staging = await openNodeService("staging", { of: plain, environment: "staging" });
const [root, parameter, dressed, proxied] = await Promise.all(
  names.map((name) => openNodeService(name)),
);

const at = (service, prefix) => ({ fetch: fetchHandler(service, { prefix, address }) });
const ofCity = fetchHandler(parameter, { prefix: "/of/:city", address });
const atRoot = fetchHandler(root, { address });

const dress = (event) => {
  setCookie(event, "host", "1");
  setCookie(event, "theme", "dark");
  event.res.headers.set("x-host", "yes");
};
const allowApp = (event) => {
  const answer = handleCors(event, { origin: ["https://app.example"], credentials: true });
  return answer === false ? undefined : answer;
};

const app = new H3()
  .get("/hello", () => "hello")
  .mount("/shelter", at(plain, "/shelter"))
  .mount("/staging", at(staging, "/staging"))
  .mount("/proxied", { fetch: fetchHandler(proxied, { prefix: "/proxied", trustProxy: true }) })
  .use("/dressed/**", dress)
  .use("/dressed/**", allowApp)
  .mount("/dressed", at(dressed, "/dressed"))
  .all("/of/:city/v1/**", (event) => ofCity(event.req))
  .all("/v1/**", (event) => atRoot(event.req));

const server = createServer(toNodeHandler(app)).listen(process.env.PORT, "127.0.0.1");
closeOnSigterm(server, plain, staging, root, parameter, dressed, proxied);
