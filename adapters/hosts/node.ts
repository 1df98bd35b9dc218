import {
  aBoolean,
  aFunction,
  aPrefix,
  checkArgument,
  checkOptions,
  optional,
} from "../../lib/base/options.ts";
import { createHash, createHmac } from "node:crypto";

import type { Digest } from "../../lib/index.ts";
import { answer } from "./bridge.ts";
import { lastOf, aFetcher, type Service } from "./mount.ts";
import { authorityOf, type NodeRequest } from "./node-request.ts";
import type { NodeResponse } from "./node-response.ts";

export type { NodeRequest, NodeResponse };

/** Options of a handler for `node:http`. */
export interface NodeHandlerOptions {
  /** The mount path, such as `/shelter`. Default: the service's prefix. */
  readonly prefix?: string;
  /**
   * True if exactly one proxy precedes the server and clients cannot bypass it. The client's address is then the last
   * one in `X-Forwarded-For`, and `X-Forwarded-Proto` and `X-Forwarded-Host` determine the requested origin.
   */
  readonly trustProxy?: boolean;
  /** Called with errors during a response. The client gets a 500, or its connection is cut. */
  readonly onError?: (error: unknown) => void;
}

/** Creates a request listener for `node:http`, `node:https` and `node:http2` that answers all requests. */
export function nodeHandler(
  service: Pick<Service, "fetch">,
  options: NodeHandlerOptions = {},
): (message: NodeRequest, target: NodeResponse) => void {
  checkArgument("nodeHandler", service, aFetcher);
  checkOptions("nodeHandler", options, {
    prefix: optional(aPrefix),
    trustProxy: optional(aBoolean),
    onError: optional(aFunction),
  });
  const { prefix, trustProxy = false, onError } = options;
  return (message, target) => {
    const { headers, socket } = message;
    const forwarded = (name: string): string | undefined =>
      trustProxy ? lastOf(headers[name]) : undefined;
    const named = lastOf(headers[":authority"]) ?? authorityOf(message.url ?? "");
    const authority = named ?? (headers.host || "localhost");
    void answer(service, {
      message,
      target,
      path: message.url ?? "/",
      scheme: forwarded("x-forwarded-proto") === "https" || socket.encrypted ? "https" : "http",
      host: forwarded("x-forwarded-host") ?? authority,
      parsed: (message as { readonly body?: unknown }).body,
      context: {
        address: () => forwarded("x-forwarded-for") ?? socket.remoteAddress,
        ...(prefix === undefined ? {} : { prefix }),
      },
      onError,
    });
  };
}

/** Synchronous hashing with `node:crypto`, several times as fast as Web Crypto for short texts. */
export const nodeDigest: Digest = {
  sha256: (data) => createHash("sha256").update(data).digest(),
  hmac: (key, data) => createHmac("sha256", key).update(data).digest(),
};
export type { NodeReadable } from "./node-request.ts";
export type { Service } from "./mount.ts";
