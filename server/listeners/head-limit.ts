import http from "node:http";

/**
 * The largest head of a request, on every listener. A site below the base domain can set tens of kilobytes of cookies for
 * the dashboard's host, which every request to it then carries.
 */
export const MAX_HEAD_BYTES: number = 64 * 1_024;

/** Allows heads of at least that size. The runtime has one limit for all its servers, 16 KiB by default. */
export function allowHeads(bytes: number): void {
  // The types call it read-only.
  const limit: { maxHeaderSize: number } = http;
  limit.maxHeaderSize = Math.max(limit.maxHeaderSize, bytes);
}
