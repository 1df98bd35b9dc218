import type { ProblemCode } from "../base/problem.ts";
import type { RequestCounter, RequestEntry } from "../http/request-log.ts";
import type { RequestExplanation, RequestReason, RetryAdvice } from "./explain.ts";

/** A request as the texts of its explanation need it. */
export interface ExplainedRequest extends Pick<
  RequestEntry,
  "at" | "environment" | "method" | "operation" | "path" | "status"
> {
  readonly code: ProblemCode | null;
  readonly scope: string | null;
  readonly counter: RequestCounter | null;
  /** The user of the program that embeds the service; null if there was none. */
  readonly userId: string | null;
  /** The key as it is now; null if it was deleted, or if there was none. */
  readonly key: { readonly expiresAt: number | null; readonly revokedAt: number | null } | null;
  readonly explanation: RequestExplanation;
}

/** The texts of explanations in one language, as sentences. */
export interface ExplanationWords {
  readonly why: Readonly<Record<RequestReason, (request: ExplainedRequest) => string>>;
  readonly retry: Readonly<Record<RetryAdvice, (request: ExplainedRequest) => string>>;
  readonly todo: Readonly<Record<RequestReason, (request: ExplainedRequest) => string>>;
}

/** Returns the limit of the window that refused a request. */
export function refusingLimit({ explanation: { reason, windows } }: ExplainedRequest): number {
  const name = reason === "day_limit" ? "day" : "minute";
  return windows.find((window) => window.name === name)?.limit ?? windows[0]?.limit ?? 0;
}

/** What is wrong with a request, by its code. */
const FAULTS: Readonly<Partial<Record<ProblemCode, string>>> = {
  invalid_json: "its body is not valid JSON",
  invalid_body: "its body has the wrong shape",
  missing_field: "a required field is missing",
  invalid_value: "a field has a value that is not allowed",
  unknown_field: "its body has an unknown field",
  unknown_category: "the category does not exist",
  invalid_parameter: "a query parameter has a value that is not allowed",
  unknown_parameter: "it has an unknown query parameter",
  invalid_cursor: "the cursor does not belong to this list",
  not_acceptable: "it accepts no JSON",
  payload_too_large: "its body is too large",
  uri_too_long: "its URL is too long",
  unsupported_media_type: "its body is not declared as JSON",
  idempotency_key_reused: "its idempotency key was used for another request",
  invalid_transition: "this status change is not allowed",
  category_in_use: "animals still use the category",
  category_exists: "a category with that name exists",
};

/** Returns the texts in English. `time` writes an instant. */
export function englishExplanation(time: (at: number) => string): ExplanationWords {
  const environmentOf = ({ environment }: ExplainedRequest): string =>
    environment === "production" ? "Production" : "Staging";
  const faultOf = ({ code }: ExplainedRequest): string =>
    code === null ? "it was not accepted" : `${FAULTS[code] ?? "it was refused"} (${code})`;
  const whoOf = ({ userId }: ExplainedRequest): string =>
    userId === null ? "The key" : "The user";
  const used = (request: ExplainedRequest, period: string): string => {
    const limit = refusingLimit(request);
    if (request.counter === "key")
      return `The key had used up its ${limit} requests per ${period}.`;
    return request.counter === "user"
      ? `The user had used up the limit of ${limit} requests per ${period}.`
      : `The limit of ${limit} requests per ${period} was used up. All keys of ${environmentOf(request)} share it.`;
  };
  const slower =
    "Wait as long as the Retry-After header says before you send the next request. If this happens often, send fewer requests, reuse responses with their ETag, or choose a larger plan.";
  const nothing = "You do not have to do anything.";
  return {
    why: {
      served: ({ status }) => `Petstore served the request with status ${status}.`,
      unchanged: () =>
        "The client already had the current version, so Petstore sent status 304 without a body. Such a request counts like any other.",
      minute_limit: (request) => used(request, "minute"),
      day_limit: (request) => used(request, "day"),
      ban: ({ explanation: { retryAt } }) =>
        `The key was banned${retryAt === null ? "" : ` until ${time(retryAt)}`}, because it kept sending requests after 429 responses.`,
      inquiry_limit: (request) =>
        `${whoOf(request)} had read the limits ${refusingLimit(request)} times in one minute (GET /rate-limit).`,
      address_limit: (request) =>
        `The client's address had sent ${refusingLimit(request)} requests without a valid key in one minute.`,
      key_missing: () => "The request had no API key.",
      key_invalid: () => "The API key of the request is unknown or mistyped.",
      key_expired: ({ key }) =>
        key?.expiresAt === null || key === null
          ? "The key had expired."
          : `The key expired at ${time(key.expiresAt)}.`,
      key_revoked: ({ key }) =>
        key?.revokedAt === null || key === null
          ? "The key had been revoked."
          : `The key was revoked at ${time(key.revokedAt)}.`,
      other_environment: (request) =>
        `The request went to ${environmentOf(request)}, and its key belongs to the other environment.`,
      scope: (request) =>
        `${whoOf(request)} lacks the scope ${request.scope ?? ""}, which ${request.operation} needs.`,
      networks: () =>
        "The key may only be used from certain networks, and the request came from another address.",
      suspension: () => "The account was suspended.",
      https_required: () =>
        "The request came over plain HTTP to an address that requires HTTPS. Petstore refused it before it checked the key.",
      not_found: (request) =>
        `The path names something that ${environmentOf(request)} did not have then. It has another ID, was deleted, or belongs to the other environment.`,
      no_route: ({ path }) => `No operation has the path ${path}.`,
      method: ({ method, path }) => `The path ${path} does not accept ${method}.`,
      input: (request) => `The request was not valid: ${faultOf(request)}.`,
      conflict: (request) => `The request did not fit the state of the data: ${faultOf(request)}.`,
      in_progress: () => "Another request with the same Idempotency-Key was still in progress.",
      changed: () =>
        "The data had changed since the client read it: the ETag that it sent was out of date.",
      removed: () => "The operation has been removed from the API.",
      timeout: () => "The body of the request did not arrive in time.",
      failure: () => "Petstore failed. The request does not count against the limits.",
      unavailable: () =>
        "Petstore was temporarily unavailable. The request does not count against the limits.",
    },
    retry: {
      not_needed: () => "No retry was needed.",
      at_once: () => "The same request can succeed at any time.",
      later: ({ explanation: { retryAt } }) =>
        retryAt === null
          ? "A later request would have been served."
          : `A request sent at ${time(retryAt)} or later would have been served, unless others had used up the limit again.`,
      never: () => "The same request fails again until its cause is fixed.",
    },
    todo: {
      served: () => nothing,
      unchanged: () => nothing,
      minute_limit: () => slower,
      day_limit: () => slower,
      ban: () =>
        "Stop the client from repeating requests after a 429 response, and let it wait as long as the Retry-After header says. The owner can lift the ban (petstore keys unban).",
      inquiry_limit: () =>
        "Read the limits from the headers of other responses: all of them have X-RateLimit-Remaining.",
      address_limit: () =>
        "Find the client that sends requests without a valid key, and give it one. A valid key is never refused for its address.",
      key_missing: () => "Send the key in the header Authorization: Bearer pet_….",
      key_invalid: () =>
        "Compare the key with the one that was shown when it was created. If it is lost, rotate it (petstore keys rotate).",
      key_expired: () => "Create another key, or rotate it before it expires next time.",
      key_revoked: () => "Use another key of the account.",
      other_environment: () =>
        "Use a key that begins with pet_live_ for Production, and one that begins with pet_test_ for Staging.",
      scope: ({ userId }) =>
        userId === null
          ? "Use a key that has the scope, or create one."
          : "Let the program in which the user is signed in give the scope.",
      networks: () => "Send the request from an allowed network, or add its address to the key.",
      suspension: () => "Ask the operator of this Petstore why the account is suspended.",
      https_required: () =>
        "Use an https:// address. If the request contained a key, others may have read it: rotate the key.",
      not_found: () => "List the resources to find the ID, and check the environment of the key.",
      no_route: () =>
        "Compare the path with the API reference. Paths have no slash at the end and no double slash.",
      method: () => "The Allow header of the response lists the methods that the path accepts.",
      input: () =>
        "The message of the response names the part that is wrong. It is not in this log, because it can repeat personal data.",
      conflict: () => "Read the data again, and decide whether the change is still wanted.",
      in_progress: () => "Wait a second and send the request again with the same Idempotency-Key.",
      changed: () => "Read the data again, apply the change to it, and send its new ETag.",
      removed: () => "Use the operation that replaces it: the API reference names it.",
      timeout: () => "Check the client's connection, and send the request again.",
      failure: () =>
        "Send the request again. If it fails again, the log of the server has the details under this request ID.",
      unavailable: () => "Send the request again after a second.",
    },
  };
}
