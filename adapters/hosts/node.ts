import { aBoolean, checkArgument, checkOptions, optional } from "../../lib/base/options.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, createHmac } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";

import type { Digest } from "../../lib/index.ts";
import { answer } from "./bridge.ts";
import {
  aFetcher,
  aMountPath,
  asService,
  lastOf,
  mountIn,
  userContext,
  userOptions,
  type MountedAlone,
  type Service,
  type UserOptions,
} from "./mount.ts";
import { authorityOf, pathOf, type NodeRequest } from "./node-request.ts";
import type { NodeResponse } from "./node-response.ts";

export type { NodeRequest, NodeResponse };

/** Options of a handler for `node:http`. */
export interface NodeHandlerOptions<Served = Service, Incoming = NodeRequest> extends UserOptions<
  Served,
  Incoming
> {
  /** The mount path, such as `/shelter` or `/of/:city`. Default: the service's prefix. */
  readonly prefix?: string;
  /**
   * True if exactly one proxy precedes the server and clients cannot bypass it. The client's address is then the last
   * one in `X-Forwarded-For`, and `X-Forwarded-Proto` and `X-Forwarded-Host` determine the requested origin.
   * Default false.
   */
  readonly trustProxy?: boolean;
}

/**
 * Creates a request listener for `node:http`, `node:https` and `node:http2` that answers all requests. Throws a
 * `TypeError` for invalid options.
 */
export function nodeHandler<
  Served extends MountedAlone,
  Incoming extends NodeRequest = NodeRequest,
>(
  service: Served,
  options: NodeHandlerOptions<Served, Incoming> = {},
): (message: Incoming, target: NodeResponse) => void {
  checkArgument("nodeHandler", service, aFetcher);
  checkOptions("nodeHandler", options, {
    prefix: optional(aMountPath),
    trustProxy: optional(aBoolean),
    ...userOptions,
  });
  const { prefix, trustProxy = false, onError } = options;
  const userOf = userContext(options);
  const served = asService(service);
  const mountOf = prefix === undefined ? undefined : mountIn(prefix);
  return (message, target) => {
    const { headers, socket } = message;
    const forwarded = (name: string): string | undefined =>
      trustProxy ? lastOf(headers[name]) : undefined;
    const named = lastOf(headers[":authority"]) ?? authorityOf(message.url ?? "");
    const authority = named ?? (headers.host || "localhost");
    void answer(served, {
      message,
      target,
      path: message.url ?? "/",
      scheme: forwarded("x-forwarded-proto") === "https" || socket.encrypted ? "https" : "http",
      host: forwarded("x-forwarded-host") ?? authority,
      parsed: (message as NodeRequest & { readonly body?: unknown }).body,
      context: {
        address: () => forwarded("x-forwarded-for") ?? socket.remoteAddress,
        ...(mountOf && { prefix: mountOf(pathOf(message.url ?? "/")) }),
        ...userOf(message),
      },
      onError,
    });
  };
}

let clients: AsyncLocalStorage<string | undefined> | undefined;

/**
 * Returns a function that finds the address of the client whose request is being answered, for frameworks on `node:http` that give
 * their routes none, such as Next.js and React Router: `fetchHandler(petstore, { address: clientAddress() })`. Behind a proxy
 * it is the proxy's. Undefined for requests that had begun before the first call, and where the runtime does not publish them.
 */
export function clientAddress(): () => string | undefined {
  if (clients === undefined) {
    const kept = new AsyncLocalStorage<string | undefined>();
    // Published just before the listeners of the server are called, in the same turn.
    subscribe("http.server.request.start", (message) => {
      const { request } = message as { readonly request: NodeRequest };
      kept.enterWith(request.socket.remoteAddress);
    });
    clients = kept;
  }
  const kept = clients;
  return () => kept.getStore();
}

/** Synchronous hashing with `node:crypto`, several times as fast as Web Crypto for short texts. */
export const nodeDigest: Digest = {
  sha256: (data) => createHash("sha256").update(data).digest(),
  hmac: (key, data) => createHmac("sha256", key).update(data).digest(),
};
export type { NodeReadable } from "./node-request.ts";
export type { Mounted, MountedAlone, Service, UserOptions } from "./mount.ts";
