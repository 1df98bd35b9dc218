import type { IncomingMessage } from "node:http";

import { joined, readParts } from "../lib/base/parts.ts";
import { done, refused, type Result } from "../lib/base/result.ts";
import type { FetchPicture } from "../lib/import/index.ts";
import { bareHost, checkedAddress, sendPinned, type AddressRules } from "./pinned-request.ts";

/** The largest picture, as an upload may have. */
const MAX_BYTES: number = 25 * 1_024 * 1_024;
const MAX_REDIRECTS = 3;

/** Fetches pictures from public addresses. A host is resolved once for each request, and only a checked address is contacted. */
export function pictureFetch(rules: AddressRules): FetchPicture {
  const usable = async (url: URL, signal: AbortSignal): Promise<Result<string, string>> => {
    if (!rules.allowPrivateNetworks && url.port !== "") return refused("it names a port");
    const address = await checkedAddress(url, rules, signal);
    if (address.ok) return address;
    const { failure } = address;
    if (failure === "late") return refused(LATE);
    return refused(`${bareHost(url)} has no ${failure === "none" ? "address" : "public address"}`);
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

async function ask(
  url: URL,
  address: string,
  signal: AbortSignal,
): Promise<Result<Uint8Array | Redirect, string>> {
  const headers = {
    accept: "image/jpeg, image/png, image/webp",
    "user-agent": "petstore-import",
  };
  let response: IncomingMessage;
  try {
    response = await sendPinned({ url, address, method: "GET", headers, signal });
  } catch {
    return refused(signal.aborted ? LATE : "the server did not answer");
  }
  return read(response).catch(() => refused("the connection broke off"));
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
  const pieces = response[Symbol.asyncIterator]();
  const parts = await readParts({ read: () => pieces.next() }, MAX_BYTES);
  if (parts !== undefined) return done(joined(parts));
  response.destroy();
  return refused("it is larger than 25 MiB");
}
