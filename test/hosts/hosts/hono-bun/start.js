import { openBunService } from "petstore-host-kit/bun";
import { onSigterm } from "petstore-host-kit/sigterm";

import { createApp } from "./app.js";

const { app, close } = await createApp(openBunService);
const server = Bun.serve({
  fetch: app.fetch,
  port: Number(process.env.PORT),
  hostname: "127.0.0.1",
  // Errors are part of the checks; Bun's development error page is not.
  development: false,
});
onSigterm(async () => {
  await server.stop();
  await close();
});
