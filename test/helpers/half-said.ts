import { connect } from "node:net";

/** A `POST` that creates something, as bytes in parts, and what a server may answer. */
export interface HalfSaid {
  readonly name: string;
  readonly parts: readonly string[];
  /** Whether the client ends its side after the last part. */
  readonly ends?: true;
  /** Whether the request is complete and valid, whatever follows it. */
  readonly valid: boolean;
  /** Whether what follows is no request: a server may also close the connection without a response. */
  readonly garbled?: true;
}

/**
 * Requests with an early end of the body, trailers, and bytes after the body. `lines` are the first lines of the head,
 * `body` is JSON that is accepted.
 */
export function halfSaid(lines: readonly string[], body: string): readonly HalfSaid[] {
  const size = body.length;
  const start = (...more: readonly string[]): string => [...lines, ...more, "", ""].join("\r\n");
  const sized = start(`Content-Length: ${size}`) + body;
  const inChunks = start("Transfer-Encoding: chunked");
  const chunk = `${size.toString(16)}\r\n${body}\r\n`;
  const next = "GET /livez HTTP/1.1\r\nHost: one.test\r\nConnection: close\r\n\r\n";
  const valid = (name: string, ...parts: readonly string[]): HalfSaid => ({
    name,
    parts,
    valid: true,
  });
  const garbled = (name: string, ...parts: readonly string[]): HalfSaid => ({
    ...valid(name, ...parts),
    garbled: true,
  });
  const invalid = (name: string, ...parts: readonly string[]): HalfSaid => ({
    name,
    parts,
    ends: true,
    valid: false,
  });
  return [
    valid("a body", sized),
    valid("a body in two parts", sized.slice(0, -3), sized.slice(-3)),
    valid("a line end after the body", `${sized}\r\n`),
    valid("a line end after the body in a part of its own", sized, "\r\n"),
    valid("a bare line feed after the body", `${sized}\n`),
    valid("a line end and a request after the body", `${sized}\r\n${next}`),
    valid("a line end before the request", `\r\n${sized}`),
    valid("a request after the body", sized + next),
    garbled("bytes after the body", `${sized}garbage\r\n\r\n`),
    garbled("bytes after the body in a part of their own", sized, "garbage\r\n\r\n"),
    garbled("a request without a host after the body", `${sized}GET / HTTP/1.1\r\n\r\n`),
    valid("a body in a chunk", `${inChunks}${chunk}0\r\n\r\n`),
    valid("chunks of one byte", `${inChunks}${onesOf(body)}0\r\n\r\n`),
    valid("a chunk with an extension", `${inChunks}${chunk.replace("\r", ";a=b\r")}0\r\n\r\n`),
    valid("trailers", `${inChunks}${chunk}0\r\nX-One: 1\r\n\r\n`),
    valid("trailers in a part of their own", `${inChunks}${chunk}0\r\n`, "X-One: 1\r\n\r\n"),
    valid("a line end after the chunks", `${inChunks}${chunk}0\r\n\r\n\r\n`),
    garbled("bytes after the chunks", `${inChunks}${chunk}0\r\n\r\ngarbage\r\n\r\n`),
    invalid("a body that ends early", sized.slice(0, -1)),
    invalid("chunks that end early", inChunks + chunk),
    invalid("a last chunk without its empty line", `${inChunks}${chunk}0\r\n`),
    invalid("trailers without their empty line", `${inChunks}${chunk}0\r\nX-One: 1\r\n`),
    invalid("a trailer that is none", `${inChunks}${chunk}0\r\nno field\r\n\r\n`),
    invalid("a chunk whose size is none", `${inChunks}${chunk}x\r\n\r\n`),
    invalid("a later chunk whose size is none", `${inChunks}${chunk}`, "x\r\n\r\n"),
    invalid("a chunk longer than its size", `${inChunks}1\r\n${body}\r\n0\r\n\r\n`),
    invalid("a length that is too small", start(`Content-Length: ${size - 1}`) + body),
    invalid("two lengths", start(`Content-Length: ${size}`, `Content-Length: ${size - 1}`) + body),
    invalid(
      "a length and chunks",
      start("Content-Length: 5", "Transfer-Encoding: chunked") + chunk,
    ),
    invalid("an unknown coding", start("Transfer-Encoding: gzip") + chunk),
    invalid("another media type", sized.replace("application/json", "text/plain")),
  ];
}

function onesOf(body: string): string {
  return body.replaceAll(/./g, "1\r\n$&\r\n");
}

/** Sends a request in parts; resolves with the first status that arrives, 0 if the connection is closed without one. */
export async function firstStatus(
  origin: string,
  { parts, ends }: Pick<HalfSaid, "parts" | "ends">,
): Promise<number> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const answered = new Promise<string>((resolve) => {
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.includes("\r\n\r\n")) resolve(received);
    });
    socket.on("end", () => resolve(received));
    socket.on("close", () => resolve(received));
    socket.on("error", () => undefined);
  });
  await new Promise((resolve) => void socket.once("connect", resolve));
  for (const part of parts) {
    socket.write(part, "latin1");
    await new Promise((resolve) => void setImmediate(resolve));
  }
  if (ends === true) socket.end();
  const received = await answered;
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
}
