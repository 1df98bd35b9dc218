import { lookup } from "node:dns/promises";
import { request as plainRequest, type IncomingMessage } from "node:http";
import { request as secureRequest } from "node:https";

import { contactableAddresses } from "../domains/outside/contactable-addresses.ts";
import { done, refused, type Result } from "../lib/base/result.ts";
import type { FetchPicture } from "../lib/import/index.ts";

/** Options of fetching pictures. */
export interface PictureFetchOptions {
  /** Lets addresses of private networks, and ports other than 80 and 443, be contacted. */
  readonly allowPrivateNetworks: boolean;
  /** Returns the addresses of a host. Default: as the system resolves it. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** The largest picture, as an upload may have. */
const MAX_BYTES: number = 25 * 1_024 * 1_024;
const MAX_REDIRECTS = 3;

/** Fetches pictures from public addresses. A host is resolved once for each request, and only a checked address is contacted. */
export function pictureFetch({
  allowPrivateNetworks,
  resolve = systemAddresses,
}: PictureFetchOptions): FetchPicture {
  const usable = async (url: URL, signal: AbortSignal): Promise<Result<string, string>> => {
    if (!allowPrivateNetworks && url.port !== "") return refused("it names a port");
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const found = await Promise.race([resolve(host).catch(() => []), aborted(signal)]);
    if (found === undefined) return refused(LATE);
    const [address] = contactableAddresses(found, { allowPrivateNetworks });
    return address === undefined
      ? refused(found.length === 0 ? `${host} has no address` : `${host} has no public address`)
      : done(address);
  };
  return async (first, signal) => {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const address = await usable(url, signal);
      if (!address.ok) return address;
      const answer = await ask(url, address.value, signal);
      if (!answer.ok) return answer;
      if (answer.value instanceof Uint8Array) return done(answer.value);
      const next = redirectOf(url, answer.value);
      if (next === undefined) return refused("it leads to an address that cannot be fetched");
      url = next;
    }
    return refused("it redirects too often");
  };
}

const LATE = "it did not arrive in time";

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

/** Where a response redirects to. */
interface Redirect {
  readonly location: string;
}

function redirectOf(from: URL, { location }: Redirect): URL | undefined {
  const url = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return undefined;
  }
  return url.username === "" && url.password === "" ? url : undefined;
}

function ask(
  url: URL,
  address: string,
  signal: AbortSignal,
): Promise<Result<Uint8Array | Redirect, string>> {
  return new Promise((resolve) => {
    const family = address.includes(":") ? 6 : 4;
    const send = url.protocol === "https:" ? secureRequest : plainRequest;
    const asked = send(
      url,
      {
        agent: false,
        signal,
        headers: { accept: "image/jpeg, image/png, image/webp", "user-agent": "petstore-import" },
        // Connects to the address that was checked, whatever the name leads to by now.
        lookup: (_host, options, callback) => {
          if (options.all === true) callback(null, [{ address, family }]);
          else callback(null, address, family);
        },
      },
      (response) => {
        read(response).then(resolve, () => resolve(refused("the connection broke off")));
      },
    );
    asked.on("error", () => {
      resolve(refused(signal.aborted ? LATE : "the server did not answer"));
    });
    asked.end();
  });
}

async function read(response: IncomingMessage): Promise<Result<Uint8Array | Redirect, string>> {
  const { statusCode = 0, headers } = response;
  if ([301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined) {
    response.destroy();
    return done({ location: headers.location });
  }
  if (statusCode !== 200) {
    response.destroy();
    return refused(`the server answered ${statusCode}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response) {
    const bytes: Uint8Array = part;
    size += bytes.length;
    if (size > MAX_BYTES) {
      response.destroy();
      return refused("it is larger than 25 MiB");
    }
    parts.push(bytes);
  }
  return done(Buffer.concat(parts));
}
