/** A server for HTTP/2 and HTTP/1.1 that repeats one recorded response: `bun bare-http2.ts PORT FILE`. */
import { createSecureServer } from "node:http2";

import type { Recorded } from "../recorded.ts";

const [port, file = ""] = process.argv.slice(2);
const { answer, cert, key } = (await Bun.file(file).json()) as {
  readonly answer: Recorded;
  readonly cert: string;
  readonly key: string;
};
const { status, body } = answer;
const headers = { ...answer.headers, "content-length": Buffer.byteLength(body) };
const server = createSecureServer({ allowHTTP1: true, cert, key }, (_request, response) => {
  response.writeHead(status, headers);
  response.end(body);
});
server.listen(Number(port), "127.0.0.1");
