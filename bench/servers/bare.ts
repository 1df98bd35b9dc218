/** The minimum: a server that repeats a recorded response with as many headers. Arguments: port, file. */
import type { Recorded } from "../recorded.ts";

const [port = "0", file = ""] = process.argv.slice(2);
const { status, headers, body } = (await Bun.file(file).json()) as Recorded;

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  fetch: () => new Response(body, { status, headers }),
});
