import { problem, type Problem } from "../base/problem.ts";
import type { Verdict } from "../accounts/limiter.ts";
import type { Scope } from "../model/scope.ts";
import { retryAfterSeconds, type LimitStatus } from "../model/window.ts";

export const MAX_URL_LENGTH: number = 8 * 1024;
export const tooLong: Problem = problem("uri_too_long", "The URL is longer than 8 KiB.");
export const httpsRequired: Problem = problem(
  "https_required",
  "This address requires HTTPS. If the request contained a secret, others may have read it: replace it.",
);
export const noSuchRoute: Problem = problem(
  "route_not_found",
  "No operation has this path. Paths are exact: no trailing or double slashes.",
);
export const suspended: Problem = problem(
  "account_suspended",
  "The account of this API key is suspended.",
);
export const userSuspended: Problem = problem("account_suspended", "Your account is suspended.");
export const notAcceptable: Problem = problem(
  "not_acceptable",
  "Only application/json is available here.",
);
export const removed: Problem = problem(
  "operation_removed",
  "GET /pets/{petId} was removed on 5 December 2030. Use GET /pets with the id or status filter.",
);
export const internalError: Problem = problem(
  "internal_error",
  "The service failed. Quote the X-Request-Id of this response when you report it.",
);
export const unavailable: Problem = problem(
  "unavailable",
  "The service is temporarily unavailable. Try again shortly.",
  {
    retryAfterSeconds: 1,
  },
);

export function methodNotAllowed(allow: string): Problem {
  return problem("method_not_allowed", `This path allows only ${allow}.`);
}

/** Names the address that the service sees: behind an untrusted proxy it is the proxy's. */
export function comesFrom(address: string | undefined): Problem {
  const seen = address === undefined ? "an unknown address" : `the address ${address}`;
  return problem("address_not_allowed", `The API key cannot be used from ${seen}.`);
}

export function userLacksScope(scope: Scope): Problem {
  return problem("insufficient_scope", `You may not do this, because you lack the scope ${scope}.`);
}

export const crossSite: Problem = problem(
  "cross_site_request",
  "The request came from a page of another site, which cannot act for a signed-in user. Send it from a page of this origin, or with a bearer token.",
);

export function lacksScope(scope: Scope): Problem {
  return problem("insufficient_scope", `The API key lacks the scope ${scope}.`, { scope });
}

export function limitReached(verdict: LimitStatus): Problem {
  const seconds = retryAfterSeconds(verdict);
  const day = verdict.windows.some(({ name, remaining }) => name === "day" && remaining === 0);
  return problem(
    day ? "quota_exceeded" : "rate_limited",
    `The limit of requests per ${day ? "day" : "minute"} is reached. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  );
}

export function keyBanned(verdict: Verdict): Problem {
  const seconds = retryAfterSeconds(verdict);
  return problem(
    "key_banned",
    `The API key is banned because it kept sending requests after a 429. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  );
}

export function tooManyFailures(verdict: LimitStatus): Problem {
  const seconds = retryAfterSeconds(verdict);
  return problem(
    "rate_limited",
    `Too many requests without a valid credential came from this address. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  );
}

export function tooManyInquiries(verdict: LimitStatus): Problem {
  const seconds = retryAfterSeconds(verdict);
  return problem(
    "rate_limited",
    `The limits were requested too often. Try again in ${seconds} s.`,
    {
      retryAfterSeconds: seconds,
    },
  );
}
