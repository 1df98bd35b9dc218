import type { Duplex } from "node:stream";

import { hostsIn, type NodeRequest } from "../../adapters/node-request.ts";

/**
 * Reports whether a message is malformed although the parser accepted it: not exactly one `Host` (RFC 9112 §3.2), a
 * transfer coding other than `chunked` (§6.1), or over HTTP/2 two different authorities or an invalid path (RFC 9113
 * §8.3.1). Another server on the way may parse such a message differently.
 */
export function isMalformed(message: NodeRequest): boolean {
  const { headers, rawHeaders, httpVersionMajor, httpVersionMinor, url = "" } = message;
  const hosts = hostsIn(rawHeaders);
  if (hosts > 1) return true;
  if (httpVersionMajor >= 2) {
    const authority = headers[":authority"];
    const differs =
      typeof authority === "string" &&
      headers.host !== undefined &&
      authority.toLowerCase() !== headers.host.toLowerCase();
    return differs || !(url.startsWith("/") || (url === "*" && message.method === "OPTIONS"));
  }
  const old = httpVersionMinor === 0;
  if (hosts === 0 && !old) return true;
  const encoding = headers["transfer-encoding"];
  if (encoding === undefined) return false;
  return old || typeof encoding !== "string" || encoding.toLowerCase() !== "chunked";
}

/**
 * Answers a malformed HTTP/1.1 message and closes the connection. If a response is in progress, it only closes the
 * connection, so that the client does not take the error for the rest of that response.
 */
export function answerMalformed(error: Error, socket: Duplex, answering: boolean): void {
  // An earlier message on this connection was already refused.
  if (socket.writableEnded) return;
  if (answering || !socket.writable) {
    socket.destroy();
    return;
  }
  const large = "code" in error && error.code === "HPE_HEADER_OVERFLOW";
  const status = large ? "431 Request Header Fields Too Large" : "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
