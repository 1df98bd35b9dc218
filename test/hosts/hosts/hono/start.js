import { serve } from "@hono/node-server";

import { closeOnSigterm, openNodeService } from "petstore-host-kit/node";

import { createApp } from "./app.js";

const { app, close } = await createApp(openNodeService);
const server = serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" });
closeOnSigterm(server, { close });
