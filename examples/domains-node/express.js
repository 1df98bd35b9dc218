// The same on Express, with an https server of its own.
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";

import express from "express";
import { closeRemoved, httpsServerOptions } from "petstore/domains";
import { expressHandler } from "petstore/express";
import { nodeHandler } from "petstore/node";

import { admin, custom, early, page, petstore, run, settings } from "./shop.js";

const app = express();
// One proxy in front: its X-Forwarded-For is the client's address.
app.set("trust proxy", settings.trustProxy ? 1 : false);

// Before all other routes and middleware that redirects.
app.use((request, response, next) => {
  const { method, hostname: host, originalUrl: target, secure } = request;
  const answer = early({ method, host, target, secure });
  if (answer === undefined) next();
  else nodeHandler({ fetch: () => answer })(request, response);
});
app.use(expressHandler(petstore));
app.use("/admin", nodeHandler({ fetch: admin }));
app.get("/", (request, response) => response.send(page(request.hostname)));

const plain = createServer(app);
const secure = createSecureServer(
  httpsServerOptions({ certificateFor: custom.certificateFor }),
  app,
);
closeRemoved(secure, custom); // ends the open connections of a removed domain

plain.listen(settings.httpPort, settings.listen);
secure.listen(settings.httpsPort, settings.listen);
const ended = (server) => () => new Promise((done) => server.close(done));
run(ended(plain), ended(secure));
