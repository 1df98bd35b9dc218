import compression from "compression";
import cors from "cors";
import express from "express";

import { expressHandler } from "petstore/express";
import { closeOnSigterm, openNodeService } from "petstore-host-kit/node";

const names = ["root", "parsed", "before", "parameter", "dressed", "compressed", "proxied"];
const plain = await openNodeService("plain");
const staging = await openNodeService("staging", { of: plain, environment: "staging" });
const [root, parsed, before, parameter, dressed, compressed, proxied] = await Promise.all(
  names.map((name) => openNodeService(name)),
);

const dress = (_request, response, next) => {
  response.cookie("host", "1").cookie("theme", "dark").set("x-host", "yes");
  next();
};
const allowApp = cors({ origin: ["https://app.example"], credentials: true });

/** An application of its own, because the setting is one of the application. */
const behindProxy = express().set("trust proxy", 1).use(expressHandler(proxied));

const app = express()
  .use("/shelter", expressHandler(plain))
  .use("/parsed", express.json({ limit: "4mb" }), expressHandler(parsed))
  .use("/before", expressHandler(before), express.json())
  .use("/of/:city", express.Router({ mergeParams: true }).use(expressHandler(parameter)))
  .use("/dressed", dress, allowApp, expressHandler(dressed))
  .use("/compressed", compression({ threshold: 0 }), expressHandler(compressed))
  .use("/proxied", behindProxy)
  .use("/staging", expressHandler(staging))
  .use(expressHandler(root))
  .get("/hello", (_request, response) => response.send("hello"));

const server = app.listen(process.env.PORT, "127.0.0.1");
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
