import type { SendRequest, UnexpectedAnswer } from "../lib/management/index.ts";
import type { Clock } from "../lib/index.ts";
import { Failure } from "./exit.ts";
import { codeOf } from "./system-error.ts";

export interface RemoteOptions {
  /** `https://pets.example.org` */
  readonly server: string;
  /** A secret; undefined where none is needed. */
  readonly token: string | undefined;
  readonly clock: Clock;
  /** Default: the real one. */
  readonly fetch?: (request: Request, init: RequestInit) => Promise<Response>;
}

/** No answer takes longer, but that to an upload. */
const TIMEOUT_MS = 60_000;
/** We wait for our turn, if it comes soon. */
const LONGEST_WAIT_SECONDS = 60;
const ATTEMPTS = 5;

/** Carries requests to a server elsewhere; what keeps it from that is told in words. */
export function remoteSend(options: RemoteOptions): SendRequest {
  const { server, token, clock, fetch: carry = fetch } = options;
  const once = async (request: Request, limited: boolean): Promise<Response> => {
    try {
      return await carry(request, {
        // A redirect could carry the token elsewhere.
        redirect: "manual",
        ...(limited ? { signal: AbortSignal.timeout(TIMEOUT_MS) } : {}),
      });
    } catch (error) {
      // The file that is being sent may be what failed.
      if (error instanceof Failure) throw error;
      throw unreachable(server, error);
    }
  };
  return async (request) => {
    if (token !== undefined) request.headers.set("authorization", `Bearer ${token}`);
    // A stream is gone once it was sent; all else is small.
    const repeatable = request.headers.get("content-type") !== "application/gzip";
    for (let attempt = 1; ; attempt++) {
      const response = await once(repeatable ? request.clone() : request, repeatable);
      const redirect = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && redirect !== null) {
        throw new Failure(
          "failed",
          `${server} sends us on to ${redirect}: give that address with --server.`,
        );
      }
      const seconds = Number(response.headers.get("retry-after") ?? Infinity);
      const soon = response.status === 429 && seconds <= LONGEST_WAIT_SECONDS;
      if (!repeatable || !soon || attempt >= ATTEMPTS) return response;
      await clock.sleep(seconds * 1_000);
    }
  };
}

/** What a command says when something else answered than it expected. */
export function unexpected(server: string, error: UnexpectedAnswer): Failure {
  const { status } = error;
  return status >= 500
    ? new Failure(
        "tryLater",
        `${server} answers HTTP ${status}: the service behind it may be down. Try again later.`,
        { cause: error },
      )
    : new Failure(
        "failed",
        `What answers at ${server} (HTTP ${status}) is not a petstore's management API. Look whether the address is right.`,
        { cause: error },
      );
}

function unreachable(server: string, cause: unknown): Failure {
  const code = codeOf(cause) ?? "";
  const timedOut = cause instanceof Error && cause.name === "TimeoutError";
  const reason = timedOut
    ? `no answer came within ${TIMEOUT_MS / 1_000} seconds`
    : (reasons[code] ??
      (/CERT|SIGNATURE|ISSUER|VERIFY/i.test(code) ? UNTRUSTED : messageOf(cause)));
  const later = reason === UNTRUSTED || code === "EPROTO" ? "" : " Try again later.";
  return new Failure("tryLater", `${server} cannot be reached: ${reason}.${later}`, { cause });
}

const UNTRUSTED =
  "its certificate is not valid for it. If it is one of your own, name its authority in NODE_EXTRA_CA_CERTS";

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host name",
  EAI_AGAIN: "its host name cannot be looked up now",
  ECONNRESET: "it broke the connection off",
  EHOSTUNREACH: "there is no way to that host",
  ENETUNREACH: "there is no way to that network",
  ETIMEDOUT: "it does not answer",
  EPROTO: "it does not speak TLS there. Perhaps it is http:// instead of https://",
};

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}
