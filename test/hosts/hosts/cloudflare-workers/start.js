import { readFileSync } from "node:fs";

import { Miniflare } from "miniflare";
import { onSigterm } from "petstore-host-kit/sigterm";

const host = new Miniflare({
  modules: true,
  script: readFileSync("dist/worker.mjs", "utf8"),
  compatibilityDate: "2026-07-01",
  host: "127.0.0.1",
  port: Number(process.env.PORT),
});
await host.ready;
onSigterm(() => host.dispose());
