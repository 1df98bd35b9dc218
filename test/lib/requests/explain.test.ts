import { describe, expect, test } from "bun:test";

import { publicProblems, type ProblemCode } from "../../../lib/base/problem.ts";
import { explainRequest, requestReasons } from "../../../lib/requests/explain.ts";
import type { ExplainedRequest } from "../../../lib/requests/explanation-words.ts";
import { timeOfId, unknownRequest, whyUnknown } from "../../../lib/requests/unknown.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { requestIds } from "../../../lib/http/exchange.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { requests as german } from "../../../dashboard/app/words/de/requests.ts";
import { requests as english } from "../../../dashboard/app/words/en/requests.ts";

const AT = Date.parse("2026-11-20T09:30:41Z");

type Asked = Parameters<typeof explainRequest>[0];

const minute = (remaining: number) =>
  ({ name: "minute", limit: 60, remaining, resetsAt: AT + 21_000 }) as const;
const day = (remaining: number) =>
  ({ name: "day", limit: 1_000, remaining, resetsAt: AT + HOUR_MS }) as const;

function asked(more: Partial<Asked> = {}): Asked {
  return { at: AT, status: 200, cost: 1, windows: [minute(18), day(204)], ...more };
}

describe("the windows of an explanation", () => {
  test("have one request more before a request that was counted", () => {
    expect(explainRequest(asked()).windows).toEqual([
      { name: "minute", limit: 60, before: 19, after: 18, resetsAt: AT + 21_000 },
      { name: "day", limit: 1_000, before: 205, after: 204, resetsAt: AT + HOUR_MS },
    ]);
  });

  test("are the same before and after a request that cost nothing", () => {
    const refused = asked({ status: 429, code: "rate_limited", rule: "minute_limit", cost: 0 });
    const { windows } = explainRequest({ ...refused, windows: [minute(0), day(204)] });
    expect(windows.map(({ before, after }) => [before, after])).toEqual([
      [0, 0],
      [204, 204],
    ]);
  });
});

describe("a retry", () => {
  test("works when all windows that refused have reset", () => {
    const limited = asked({ status: 429, code: "quota_exceeded", rule: "day_limit", cost: 0 });
    const both = { ...limited, windows: [minute(0), day(0)] };
    expect(explainRequest(both)).toMatchObject({ retry: "later", retryAt: AT + HOUR_MS });
    const one = asked({ status: 429, code: "rate_limited", rule: "minute_limit", cost: 0 });
    expect(explainRequest({ ...one, windows: [minute(0), day(3)] })).toMatchObject({
      retry: "later",
      retryAt: AT + 21_000,
    });
  });

  test.each([
    ["not_needed", { status: 200 }],
    ["not_needed", { status: 304 }],
    ["at_once", { status: 500, code: "internal_error" }],
    ["at_once", { status: 503, code: "unavailable" }],
    ["never", { status: 404, code: "not_found" }],
    ["never", { status: 403, code: "insufficient_scope", rule: "scope" }],
    // The limits were met, but they are not why it was refused.
    ["never", { status: 401, code: "invalid_api_key", windows: [minute(0)] }],
  ] as const)("is %s after %j", (retry, request) => {
    expect(explainRequest(asked(request))).toMatchObject({ retry, retryAt: null });
  });
});

const RULES = {
  quota_exceeded: "day_limit",
  key_banned: "ban",
  insufficient_scope: "scope",
  address_not_allowed: "networks",
  account_suspended: "suspension",
} as const;

/** A request that was refused with each code of the public API, or by each limit. */
const refusals: readonly Asked[] = [
  ...Object.entries(publicProblems).map(([name, { status }]) => {
    const code = name as ProblemCode;
    const rule = name in RULES ? RULES[name as keyof typeof RULES] : undefined;
    return asked({ status, code, ...(rule && { rule }) });
  }),
  ...(["minute_limit", "inquiry_limit", "address_limit"] as const).map((rule) =>
    asked({ status: 429, code: "rate_limited", rule, windows: [minute(0)] }),
  ),
  asked({ status: 304 }),
  asked(),
];

test("every reason is reached by a code or a rule of the public API", () => {
  const reached = new Set(refusals.map((request) => explainRequest(request).reason));
  expect([...reached].toSorted()).toEqual([...requestReasons].toSorted());
});

test("every explanation has whole sentences in both languages", () => {
  for (const { explanation: words } of [english, german]) {
    for (const request of refusals) {
      for (const counter of ["catalogue", "key", "user", null] as const) {
        const explanation = explainRequest(request);
        const { reason, retry } = explanation;
        const shown: ExplainedRequest = {
          at: AT,
          environment: "staging",
          method: "GET",
          operation: "listPets",
          path: "/pets",
          status: request.status,
          code: request.code ?? null,
          scope: "pets:read",
          counter,
          userId: counter === "user" ? "7" : null,
          key: { expiresAt: AT, revokedAt: null },
          explanation,
        };
        const texts = [
          words.why[reason](shown),
          words.retry[retry](shown),
          words.todo[reason](shown),
        ];
        for (const text of texts) {
          expect(text).toMatch(/^[A-ZÄÖÜ].*[.…]$/u);
          expect(text).not.toMatch(/undefined|\bnull\b|NaN|\[object| {2}/);
        }
      }
    }
  }
});

describe("an id that the log does not have", () => {
  const now = AT;
  const keepMs = 7 * DAY_MS;
  const made = (at: number) => requestIds(systemRandom)(null, at);

  test("tells when a petstore made it", () => {
    expect(timeOfId(made(AT))).toBe(AT);
    expect(timeOfId("my-own-request-id")).toBeUndefined();
  });

  test.each([
    ["too_old", made(AT - 8 * DAY_MS)],
    ["recent", made(AT - MINUTE_MS)],
    ["future", made(AT + DAY_MS)],
    ["chosen", "my-own-request-id"],
    ["not_an_id", "7"],
    ["not_an_id", "../../etc/passwd"],
  ] as const)("is unknown as %s", (reason, id) => {
    expect(whyUnknown(id, now, keepMs)).toBe(reason);
    const { code, message } = unknownRequest(id, { now, keepMs, ofAccount: true });
    expect(code).toBe("not_found");
    expect(message).toMatch(/^[A-Z].*\.$/);
    // It is not repeated: whoever sent it chose it.
    expect(message).not.toContain(id === "7" ? "etc" : id);
  });

  test("names the ways in which a request can be missing", () => {
    const ofAccount = unknownRequest(made(AT), { now, keepMs, ofAccount: true }).message;
    for (const part of [
      "another installation",
      "no valid key",
      "sample",
      "three seconds",
      "killed",
    ])
      expect(ofAccount).toContain(part);
    const ofAll = unknownRequest("my-own-request-id", {
      now,
      keepMs: 36 * HOUR_MS,
      ofAccount: false,
    });
    expect(ofAll.message).toContain("36 hours");
    expect(ofAll.message).not.toContain("valid key");
  });
});
