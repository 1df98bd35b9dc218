import type { Duplex } from "node:stream";

import { hostsIn, type NodeRequest } from "../../adapters/node-request.ts";

/**
 * Whether a message that the parser let through is no request all the same: without exactly one `Host` (RFC 9112 §3.2),
 * framed by anything but `chunked` (§6.1), or over HTTP/2 with two ideas of its authority, or a path that is none
 * (RFC 9113 §8.3.1). Others on its way may have read it in another way.
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
 * Answers what is no request of HTTP/1.1, and hangs up. Only while nothing else is being answered: a client must not
 * take it for the end of that.
 */
export function answerMalformed(error: Error, socket: Duplex, answering: boolean): void {
  // It was answered so, and what follows is no better.
  if (socket.writableEnded) return;
  if (answering || !socket.writable) {
    socket.destroy();
    return;
  }
  const large = "code" in error && error.code === "HPE_HEADER_OVERFLOW";
  const status = large ? "431 Request Header Fields Too Large" : "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
