import { STATUS_CODES } from "node:http";

import { isBodiless } from "./node-response.ts";

/** Fields that a connection sets itself, whatever the response says. */
export const FRAMING: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

/** Returns the first line of a response, with its line end. */
export function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`;
}

/** Whether the value of a `Connection` field, if any, asks to close the connection. */
export function asksToClose(connection: string | null): boolean {
  return connection?.toLowerCase() === "close";
}

/** Whether a response without content may say that its length is 0: so does 205 (RFC 9110 §15.3.6). */
export function mayHaveLength(status: number): boolean {
  return status === 205 || !isBodiless(status);
}
