import { HOUR_MS, type Clock } from "../../lib/base/clock.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { ownProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import type { Directory } from "../ports/authority.ts";
import type { HttpsExchange } from "./exchange.ts";
import type { Signer } from "./jose.ts";
import { readDirectory, type Endpoints, fieldsIn, httpsUrl, type Fields } from "./resources.ts";
import { aheadIn, createTransport, type AcmeReply } from "./transport.ts";

/** Signed requests to the CA of one directory, which is read when it is first needed, and once an hour. */
export interface Conversation {
  readonly directory: (signal: AbortSignal) => Promise<Result<Directory, AuthorityProblem>>;
  readonly endpoints: (signal: AbortSignal) => Promise<Result<Endpoints, AuthorityProblem>>;
  /** Reads, unsigned. */
  readonly get: (url: string, signal: AbortSignal) => Promise<Result<AcmeReply, AuthorityProblem>>;
  /** Sends what `payload` makes for the address, which is one or is chosen; without a payload it reads. */
  readonly send: (
    signer: Signer,
    to: string | ((endpoints: Endpoints) => string),
    payload: ((url: string) => Fields) | undefined,
    signal: AbortSignal,
  ) => Promise<Result<AcmeReply, AuthorityProblem>>;
}

export function createConversation(
  directoryUrl: string,
  exchange: HttpsExchange,
  clock: Clock,
): Conversation {
  if (httpsUrl(directoryUrl) === undefined) {
    throw new TypeError(`An ACME directory has an https address, not ${directoryUrl}`);
  }
  const transport = createTransport(exchange, clock);
  let known: Known | undefined;

  const look = async (signal: AbortSignal): Promise<Result<Known, AuthorityProblem>> => {
    signal.throwIfAborted();
    // A clock that was put back makes it old: how far it is off has to be seen again.
    const age = known === undefined ? Infinity : clock.now() - known.at;
    if (known !== undefined && age >= 0 && age < DIRECTORY_MS) return done(known);
    const reply = await transport.get(directoryUrl, signal);
    if (!reply.ok) return reply;
    const read = readDirectory(fieldsIn(reply.value.body) ?? {});
    if (read === undefined) return refused(nonsense("a directory"));
    const aheadMs = aheadIn(reply.value.headers, clock.now());
    const ahead = aheadMs === undefined ? {} : { aheadMs };
    known = { ...read, directory: { ...read.directory, ...ahead }, at: clock.now() };
    return done(known);
  };

  const send: Conversation["send"] = async (signer, to, payload, signal) => {
    const found = await look(signal);
    if (!found.ok) return found;
    const { endpoints } = found.value;
    const url = typeof to === "string" ? to : to(endpoints);
    return transport.post(
      {
        signer,
        url,
        newNonceUrl: endpoints.newNonce,
        ...(payload !== undefined && { payload: payload(url) }),
      },
      signal,
    );
  };

  return {
    directory: async (signal) => {
      const found = await look(signal);
      return found.ok ? done(found.value.directory) : found;
    },
    endpoints: async (signal) => {
      const found = await look(signal);
      return found.ok ? done(found.value.endpoints) : found;
    },
    get: (url, signal) => transport.get(url, signal),
    send,
  };
}

interface Known {
  readonly endpoints: Endpoints;
  readonly directory: Directory;
  readonly at: number;
}

/** Its addresses hardly ever change; terms and profiles do. */
const DIRECTORY_MS = HOUR_MS;

/** The CA answered yes, and with what cannot be used. */
export function nonsense(expected: string): AuthorityProblem {
  return ownProblem("unavailable", `The CA answered with something that is not ${expected}.`);
}
