import { createInterface } from "node:readline";

import { presentedFor } from "../../helpers/presented.ts";
import { startFront } from "../../helpers/tls-front.ts";

// Runs under Node: a front that echoes requests, and reads the names to serve from stdin.
const { front, port, live, challenged } = await startFront({
  fetch: async (request, info) => {
    const { length } = new Uint8Array(await request.arrayBuffer());
    return Response.json({ url: request.url, length, ...info });
  },
});
console.log(`listening ${port}`);
for await (const line of createInterface({ input: process.stdin })) {
  const [command, name = "", id = ""] = line.split(" ");
  if (command === "serve") live.set(name, await presentedFor(id, name));
  if (command === "challenge") challenged.set(name, await presentedFor(id, name));
  if (command === "remove") {
    live.delete(name);
    front.closeName(name);
  }
  console.log(line);
}
await front.end();
