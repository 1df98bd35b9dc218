import { MAX_WAIT_SECONDS, retryAfterSecondsIn } from "../lib/base/retry-after.ts";
import { COMMAND_AGENT, type SendRequest, type UnexpectedAnswer } from "../lib/management/index.ts";
import { done, refused } from "../lib/base/result.ts";
import type { Clock } from "../lib/index.ts";
import { codeOf, Failure } from "../settings/failure.ts";
import { quoted, type Parse } from "../settings/values.ts";

/** An HTTP address without a slash at its end, to which a path can be appended: `https://pets.example.org`. */
export const serverAddress: Parse<string> = (written) => {
  const url = new URL(URL.canParse(written) ? written : "about:blank");
  const { protocol, origin, pathname, search, hash, username, password } = url;
  const plain = search === "" && hash === "" && username === "" && password === "";
  return /^https?:$/.test(protocol) && plain
    ? done(origin + pathname.replace(/\/+$/, ""))
    : refused(`must be an address such as https://pets.example.org, not ${quoted(written)}`);
};

interface RemoteOptions {
  /** `https://pets.example.org` */
  readonly server: string;
  /** A secret; undefined if none is needed. */
  readonly token: string | undefined;
  readonly clock: Clock;
  /** Default: the global `fetch`. */
  readonly fetch?: (request: Request, init: RequestInit) => Promise<Response>;
}

/** Longest wait for a response, except to an upload. */
const TIMEOUT_MS = 60_000;
/** Longest `Retry-After` that is waited for. */
const LONGEST_WAIT_SECONDS = 60;
const ATTEMPTS = 5;

/** Sends requests to a server elsewhere, and waits when it limits them. Connection errors become a `Failure`. */
export function remoteSend(options: RemoteOptions): SendRequest {
  const { server, token, clock, fetch: carry = fetch } = options;
  const once = async (request: Request, limited: boolean): Promise<Response> => {
    try {
      return await carry(request, {
        // A redirect could send the token to another host.
        redirect: "manual",
        ...(limited ? { signal: AbortSignal.timeout(TIMEOUT_MS) } : {}),
      });
    } catch (error) {
      // Reading the uploaded file may have failed.
      if (error instanceof Failure) throw error;
      throw unreachable(server, error);
    }
  };
  return async (request) => {
    if (token !== undefined) request.headers.set("authorization", `Bearer ${token}`);
    // The audit log tells commands from programs.
    request.headers.set("user-agent", COMMAND_AGENT);
    // A stream can be sent only once; everything else fits into memory.
    const type = request.headers.get("content-type") ?? "";
    const repeatable = type !== "application/gzip";
    const uploads = !repeatable || type.startsWith("image/");
    for (let attempt = 1; ; attempt++) {
      const response = await once(repeatable ? request.clone() : request, !uploads);
      const redirect = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && redirect !== null) {
        throw new Failure(
          "failed",
          `${server} redirects to ${redirect}. Pass that address with --server.`,
        );
      }
      const seconds = retryAfterSecondsIn(response.headers, MAX_WAIT_SECONDS) ?? Infinity;
      const soon = response.status === 429 && seconds <= LONGEST_WAIT_SECONDS;
      if (!repeatable || !soon || attempt >= ATTEMPTS) return response;
      await clock.sleep(seconds * 1_000);
    }
  };
}

/** Explains a response that is not one of the management API. */
export function unexpected(server: string, error: UnexpectedAnswer): Failure {
  const { status } = error;
  return status >= 500
    ? new Failure(
        "tryLater",
        `${server} returned HTTP ${status}: the service behind it may be down. Try again later.`,
        { cause: error },
      )
    : new Failure(
        "failed",
        `The server at ${server} (HTTP ${status}) is not a petstore's management API. Check the address.`,
        { cause: error },
      );
}

function unreachable(server: string, cause: unknown): Failure {
  const code = codeOf(cause) ?? "";
  const timedOut = cause instanceof Error && cause.name === "TimeoutError";
  const { hostname, host, protocol, port } = new URL(server);
  const listening = port === "" ? `${hostname}:${protocol === "https:" ? 443 : 80}` : host;
  const reasons: Readonly<Record<string, string>> = {
    ECONNREFUSED: `Nothing listens on ${listening}. Is the server running?`,
    ENOTFOUND: `There is no host ${hostname}: the DNS does not know the name. Check --server.`,
    EAI_AGAIN: `The name ${hostname} cannot be resolved now. Try again later.`,
    ECONNRESET: "The connection was reset. Try again later.",
    EHOSTUNREACH: `There is no route to ${hostname}. Try again later.`,
    ENETUNREACH: `There is no route to the network of ${hostname}. Try again later.`,
    ETIMEDOUT: "The connection timed out. Try again later.",
    EPROTO: `The server has no certificate for ${hostname}, or does not speak TLS on ${listening}. Use https:// with a name that it has, or http:// if it serves plain HTTP.`,
    ERR_TLS_CERT_ALTNAME_INVALID: `The server's certificate is for another name than ${hostname}${namesIn(cause)}. Use https:// with a name that it has.`,
  };
  const reason = timedOut
    ? `No response within ${TIMEOUT_MS / 1_000} seconds. Try again later.`
    : (reasons[code] ??
      (/CERT|SIGNATURE|ISSUER|VERIFY/i.test(code)
        ? `The certificate of ${hostname} is not valid. If your own CA issued it, name the CA's root in NODE_EXTRA_CA_CERTS.`
        : `${messageOf(cause)}. Try again later.`));
  return new Failure("tryLater", `Cannot reach ${server}: ${reason}`, { cause });
}

/** Returns the names of the certificate, as the runtime's error lists them; empty if it does not. */
function namesIn(error: unknown): string {
  const listed = /cert's altnames: (.+)$/i.exec(messageOf(error))?.[1];
  const names = listed?.split(",").map((name) => name.trim().replace(/^DNS:/, ""));
  return names === undefined ? "" : ` (${names.slice(0, 4).join(", ")})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}
