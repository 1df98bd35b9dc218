// Runs the bundle in argv[2] in workerd, by the Miniflare in argv[3], with the options in argv[4]. Prints its address; each
// line of stdin runs the scheduled handler.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , path, miniflare, options = "{}"] = process.argv;
const { Miniflare } = createRequire(`${miniflare}/`)("miniflare");
const host = new Miniflare({
  modules: true,
  script: readFileSync(path, "utf8"),
  compatibilityDate: "2026-07-01",
  ...JSON.parse(options),
});
console.log(String(await host.ready));
for await (const _ of createInterface({ input: process.stdin })) {
  const worker = await host.getWorker();
  console.log((await worker.scheduled()).outcome);
}
await host.dispose();
