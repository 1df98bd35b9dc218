import { HOUR_MS, type Clock } from "../../lib/base/clock.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { ownProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import type { Directory } from "../ports/authority.ts";
import type { HttpsClient } from "./https-client.ts";
import type { Signer } from "./jose.ts";
import { readDirectory, type Endpoints, fieldsIn, httpsUrl, type Fields } from "./resources.ts";
import { aheadMsIn, createTransport, type AcmeResponse } from "./transport.ts";

/** Signed requests to one ACME CA. The directory is fetched on first use and refetched hourly. */
export interface AcmeClient {
  readonly directory: (signal: AbortSignal) => Promise<Result<Directory, AuthorityProblem>>;
  readonly endpoints: (signal: AbortSignal) => Promise<Result<Endpoints, AuthorityProblem>>;
  /** Sends an unsigned GET, for resources such as renewal information. */
  readonly get: (
    url: string,
    signal: AbortSignal,
  ) => Promise<Result<AcmeResponse, AuthorityProblem>>;
  /** Sends a signed POST to a URL or to an endpoint chosen from the directory; without `payload` a POST-as-GET. */
  readonly send: (
    signer: Signer,
    to: string | ((endpoints: Endpoints) => string),
    payload: ((url: string) => Fields) | undefined,
    signal: AbortSignal,
  ) => Promise<Result<AcmeResponse, AuthorityProblem>>;
}

export function createAcmeClient(
  directoryUrl: string,
  exchange: HttpsClient,
  clock: Clock,
): AcmeClient {
  if (httpsUrl(directoryUrl) === undefined) {
    throw new TypeError(`An ACME directory URL must use https: ${directoryUrl}`);
  }
  const transport = createTransport(exchange, clock);
  let loaded: LoadedDirectory | undefined;

  const loadDirectory = async (
    signal: AbortSignal,
  ): Promise<Result<LoadedDirectory, AuthorityProblem>> => {
    signal.throwIfAborted();
    // If our clock was set back, the cached clock difference is wrong, so the directory is fetched again.
    const age = loaded === undefined ? Infinity : clock.now() - loaded.at;
    if (loaded !== undefined && age >= 0 && age < DIRECTORY_MS) return done(loaded);
    const reply = await transport.get(directoryUrl, signal);
    if (!reply.ok) return reply;
    const read = readDirectory(fieldsIn(reply.value.body) ?? {});
    if (read === undefined) return refused(malformed("a directory"));
    const aheadMs = aheadMsIn(reply.value.headers, clock.now());
    const ahead = aheadMs === undefined ? {} : { aheadMs };
    loaded = { ...read, directory: { ...read.directory, ...ahead }, at: clock.now() };
    return done(loaded);
  };

  const send: AcmeClient["send"] = async (signer, to, payload, signal) => {
    const found = await loadDirectory(signal);
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
      const found = await loadDirectory(signal);
      return found.ok ? done(found.value.directory) : found;
    },
    endpoints: async (signal) => {
      const found = await loadDirectory(signal);
      return found.ok ? done(found.value.endpoints) : found;
    },
    get: (url, signal) => transport.get(url, signal),
    send,
  };
}

interface LoadedDirectory {
  readonly endpoints: Endpoints;
  readonly directory: Directory;
  readonly at: number;
}

/** Endpoint URLs hardly ever change; terms and profiles do. */
const DIRECTORY_MS = HOUR_MS;

/** Returns the problem for a successful response whose body cannot be used. */
export function malformed(expected: string): AuthorityProblem {
  return ownProblem("unavailable", `The CA returned a malformed response in place of ${expected}.`);
}
