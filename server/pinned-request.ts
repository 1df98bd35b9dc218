import { lookup } from "node:dns/promises";
import { request as plainRequest, type IncomingMessage } from "node:http";
import { request as secureRequest } from "node:https";

import { contactableAddresses } from "../domains/outside/contactable-addresses.ts";
import { done, refused, type Result } from "../lib/base/result.ts";

/** Which addresses may be contacted. */
export interface AddressRules {
  /** Lets addresses of private networks be contacted. */
  readonly allowPrivateNetworks: boolean;
  /** Returns the addresses of a host. Default: as the system resolves it. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
}

/** Why no address of a host is contacted: it took too long to ask, it has none, or it has no public one. */
export type AddressFault = "late" | "none" | "private";

/** Returns the host of a URL, without the brackets of an IPv6 address. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/**
 * Returns the address of a URL's host that may be contacted. A stranger chose the URL: only this address may be connected to,
 * because the name may lead elsewhere a moment later.
 */
export async function checkedAddress(
  url: URL,
  { allowPrivateNetworks, resolve = systemAddresses }: AddressRules,
  signal: AbortSignal,
): Promise<Result<string, AddressFault>> {
  const found = await Promise.race([resolve(bareHost(url)).catch(() => []), aborted(signal)]);
  if (found === undefined) return refused("late");
  const [address] = contactableAddresses(found, { allowPrivateNetworks });
  if (address !== undefined) return done(address);
  return refused(found.length === 0 ? "none" : "private");
}

/** Resolves when the signal aborts. */
function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** A request to a checked address. */
export interface PinnedRequest {
  readonly url: URL;
  /** Connects to this address, whatever the name leads to by now. */
  readonly address: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Sends a request over a connection of its own. Follows no redirect. Rejects if no response arrives. */
export function sendPinned({
  url,
  address,
  method,
  headers,
  body,
  signal,
}: PinnedRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const family = address.includes(":") ? 6 : 4;
    const send = url.protocol === "https:" ? secureRequest : plainRequest;
    const asked = send(
      url,
      {
        method,
        agent: false,
        signal,
        headers,
        lookup: (_host, options, callback) => {
          if (options.all === true) callback(null, [{ address, family }]);
          else callback(null, address, family);
        },
      },
      resolve,
    );
    asked.on("error", reject);
    asked.end(body);
  });
}
