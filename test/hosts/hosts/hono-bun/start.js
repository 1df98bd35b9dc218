import { bunDigest } from "petstore/bun";
import { openService } from "petstore-host-kit";
import { onSigterm } from "petstore-host-kit/sigterm";

import { createApp } from "./app.js";

const { app, close } = await createApp((_name, options) =>
  openService({ digest: bunDigest, ...options }),
);
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
