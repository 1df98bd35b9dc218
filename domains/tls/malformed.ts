import type { Duplex } from "node:stream";

/**
 * Answers what is no request of HTTP/1.1, and hangs up. Only while nothing else is being answered: a client must not
 * take it for the end of that.
 */
export function answerMalformed(error: Error, socket: Duplex, answering: boolean): void {
  if (answering || !socket.writable) {
    socket.destroy();
    return;
  }
  const large = "code" in error && error.code === "HPE_HEADER_OVERFLOW";
  const status = large ? "431 Request Header Fields Too Large" : "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
