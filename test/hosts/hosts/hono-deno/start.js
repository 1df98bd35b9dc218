import { openService } from "petstore-host-kit";

import { createApp } from "./app.js";

const { app, close } = await createApp((_name, options) => openService(options));
const server = Deno.serve({ port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1" }, app.fetch);
Deno.addSignalListener("SIGTERM", async () => {
  await server.shutdown();
  await close();
  Deno.exit(0);
});
