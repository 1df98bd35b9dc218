// A host with the HTTPS listener of petstore/domains: HTTP/2, no session survives a removed domain.
import { once } from "node:events";
import { createServer } from "node:http";

import { systemClock } from "petstore";
import { createTlsFront } from "petstore/domains";
import { nodeHandler } from "petstore/node";

import { admin, custom, early, page, petstore, run, settings } from "./shop.js";

/** Answers a request over either protocol. */
function serve(request, context) {
  const { hostname: host, pathname, search, protocol } = new URL(request.url);
  const { method } = request;
  const answer = early({ method, host, target: pathname + search, secure: protocol === "https:" });
  if (answer !== undefined) return answer;
  if (petstore.match(request)) return petstore.fetch(request, context);
  if (pathname.startsWith("/admin/")) return admin(request);
  return new Response(page(host), { headers: { "content-type": "text/html; charset=utf-8" } });
}

const front = createTlsFront({
  certificateFor: custom.certificateFor,
  challenges: custom.challenges,
  fetch: (request, { remoteAddress }) => serve(request, { address: remoteAddress }),
  sameProject: (one, other) =>
    custom.routes.byHost(one)?.projectId === custom.routes.byHost(other)?.projectId,
  clock: systemClock,
});
custom.routes.onRemoved((host) => front.closeName(host));
await front.listen({ host: settings.listen, port: settings.httpsPort });

// TRUST_PROXY=1 if exactly one proxy is in front of this listener: its X-Forwarded-For is the client's address.
const plain = createServer(nodeHandler({ fetch: serve }, { trustProxy: settings.trustProxy }));
plain.listen(settings.httpPort, settings.listen);
await once(plain, "listening");

run(
  () => front.stop().then(() => front.end()),
  () => new Promise((ended) => plain.close(ended)),
);
