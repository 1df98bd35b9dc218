import type { Eventual } from "../../lib/base/eventual.ts";
import { refusal } from "./bridge.ts";
import { isCut, readInTurn, toRequest, type NodeRequest } from "./node-request.ts";
import { disconnectSignal, type NodeResponse } from "./node-response.ts";

/** The message and the response of `node:http` from which a framework has made a `Request`, where it gives them. */
export interface Beneath {
  readonly req?: NodeRequest | undefined;
  readonly res?: NodeResponse | undefined;
}

/**
 * Responds to a request with what `node:http` knows of it: repeated credentials, of which some frameworks keep one, and where
 * its body ends, so that malformed bytes behind it do not turn a change into a 400.
 */
export function onNode(
  request: Request,
  { req, res }: Beneath,
  respond: (request: Request) => Eventual<Response>,
): Eventual<Response> {
  // Without `node:http`, or after a parser of the host has read the body.
  if (req === undefined || res === undefined || req.readableDidRead) return respond(request);
  const exact = (): Request => toRequest(req, request.url, {}, disconnectSignal(res));
  if (req.method === "GET" || req.method === "HEAD") {
    return respond(hasTwoCredentials(req) ? exact() : request);
  }
  readInTurn(req, res);
  return afterPacket(req, () => respond(exact()));
}

/** Bytes of the same packet that follow the request are parsed before the next turn. */
async function afterPacket(
  message: NodeRequest,
  respond: () => Eventual<Response>,
): Promise<Response> {
  await Promise.resolve();
  if (isCut(message)) return refusal("invalid_value", "The client has disconnected.");
  return respond();
}

function hasTwoCredentials({ rawHeaders }: NodeRequest): boolean {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === "authorization") found++;
  }
  return found > 1;
}
