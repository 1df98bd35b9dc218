/** Parses and echoes the body, with the recorded headers. Arguments: port, file. */
import type { Recorded } from "../recorded.ts";

const [port = "0", file = ""] = process.argv.slice(2);
const { status, headers } = (await Bun.file(file).json()) as Recorded;

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  fetch: async (request) => {
    const body: unknown = await request.json();
    return new Response(JSON.stringify(body), { status, headers });
  },
});
