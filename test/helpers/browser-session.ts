import type { Management } from "../../lib/management/management.ts";
import { api, type Api } from "./api.ts";

/** Where browsers reach the service in tests: signing in needs HTTPS. */
export const ORIGIN = "https://petstore.test";

/** A browser as far as the service can tell: it keeps the cookie, and says that its own pages ask. */
export interface TestBrowser {
  readonly api: Api;
  /** The value of the session's cookie; undefined while there is none. */
  cookie(): string | undefined;
  /** Puts another one in its place, as somebody with access to the machine could. */
  plant(cookie: string | undefined): void;
  /** Likewise the cookie by which it proves that its owner is there. */
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
  const fetch = async (request: Request): Promise<Response> => {
    const { headers } = request;
    if (!headers.has("user-agent")) headers.set("user-agent", userAgent);
    if (!headers.has("sec-fetch-site")) headers.set("sec-fetch-site", "same-origin");
    if (cookie !== undefined && !headers.has("cookie")) {
      const proving = proof === undefined ? "" : `; __Host-petstore-proof=${proof}`;
      headers.set("cookie", `theme=dark; __Host-petstore=${cookie}${proving}`);
    }
    const response = await management.fetch(request, { address });
    for (const line of response.headers.getSetCookie()) {
      const value = /^__Host-petstore=([^;]*)/.exec(line)?.[1];
      if (value !== undefined) cookie = value === "" ? undefined : value;
      proof = /^__Host-petstore-proof=([^;]*)/.exec(line)?.[1] ?? proof;
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
