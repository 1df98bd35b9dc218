import { createServer } from "node:http";

import { H3, handleCors, toNodeHandler } from "h3";

import { fetchHandler } from "petstore/fetch";
import { closeOnSigterm, openNodeService } from "petstore-host-kit/node";

/** h3 provides the client's address on the request. */
const address = (request) => request.ip;
const names = ["root", "parameter", "proxied"];
const plain = await openNodeService("plain");
const staging = await openNodeService("staging", { of: plain, environment: "staging" });
const [root, parameter, proxied] = await Promise.all(names.map((name) => openNodeService(name)));
// An adapter for Fetch does not see the headers of the host.
const dressed = await openNodeService("dressed", { cors: false });

const at = (service, prefix, options) => {
  const handle = fetchHandler(service, { prefix, address, ...options });
  return (event) => handle(event.req);
};

const dress = (event) => {
  // h3 keeps headers of errors apart.
  for (const headers of [event.res.headers, event.res.errHeaders]) {
    headers.append("set-cookie", "host=1");
    headers.append("set-cookie", "theme=dark");
    headers.set("x-host", "yes");
  }
};
const allowApp = (event) => {
  const answer = handleCors(event, { origin: ["https://app.example"], credentials: true });
  return answer === false ? undefined : answer;
};

const app = new H3()
  .get("/hello", () => "hello")
  .all("/v1/**", at(root))
  .all("/shelter/v1/**", at(plain, "/shelter"))
  // A mount takes the prefix away, and every path below it.
  .mount("/staging", { fetch: fetchHandler(staging, { prefix: "/staging", address }) })
  .all("/of/:city/v1/**", at(parameter, "/of/:city"))
  .all("/proxied/v1/**", at(proxied, "/proxied", { trustProxy: true }))
  .use("/dressed/**", dress)
  .use("/dressed/**", allowApp)
  .all("/dressed/v1/**", at(dressed, "/dressed"));

const server = createServer(toNodeHandler(app)).listen(process.env.PORT, "127.0.0.1");
closeOnSigterm(server, plain, staging, root, parameter, dressed, proxied);
