import type { Management } from "../../lib/management/management.ts";
import { api, type Api } from "./api.ts";

/** The service's origin for browsers in tests: sign-in requires HTTPS. */
export const ORIGIN = "https://petstore.test";

/** A simulated browser: it keeps the cookie and sends the headers of same-origin requests. */
export interface TestBrowser {
  readonly api: Api;
  /** The session cookie's value; undefined if there is none. */
  cookie(): string | undefined;
  /** Replaces the session cookie, like someone with access to the machine. */
  plant(cookie: string | undefined): void;
  /** Replaces the cookie of the identity proof. */
  proof(): string | undefined;
  plantProof(proof: string | undefined): void;
}

export interface TestBrowserOptions {
  readonly address?: string;
  readonly userAgent?: string;
  readonly origin?: string;
}

export function openBrowser(
  management: Pick<Management, "fetch">,
  { address = "192.0.2.1", userAgent = "Netscape", origin = ORIGIN }: TestBrowserOptions = {},
): TestBrowser {
  let cookie: string | undefined;
  let proof: string | undefined;
  let device: string | undefined;
  const fetch = async (request: Request): Promise<Response> => {
    const { headers } = request;
    if (!headers.has("user-agent")) headers.set("user-agent", userAgent);
    if (!headers.has("sec-fetch-site")) headers.set("sec-fetch-site", "same-origin");
    if (!headers.has("cookie")) {
      const sent = [
        "theme=dark",
        ...(cookie === undefined ? [] : [`__Host-petstore=${cookie}`]),
        ...(cookie === undefined || proof === undefined ? [] : [`__Host-petstore-proof=${proof}`]),
        ...(device === undefined ? [] : [`__Host-petstore-device=${device}`]),
      ];
      headers.set("cookie", sent.join("; "));
    }
    const response = await management.fetch(request, { address });
    for (const line of response.headers.getSetCookie()) {
      const value = /^__Host-petstore=([^;]*)/.exec(line)?.[1];
      if (value !== undefined) cookie = value === "" ? undefined : value;
      proof = /^__Host-petstore-proof=([^;]*)/.exec(line)?.[1] ?? proof;
      device = /^__Host-petstore-device=([^;]*)/.exec(line)?.[1] ?? device;
    }
    return response;
  };
  return {
    api: api({ fetch, base: origin }),
    cookie: () => cookie,
    plant: (other) => {
      cookie = other;
    },
    proof: () => proof,
    plantProof: (other) => {
      proof = other;
    },
  };
}
