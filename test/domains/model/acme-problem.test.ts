import { describe, expect, test } from "bun:test";

import {
  MAX_SUBPROBLEMS,
  ownProblem,
  remedyOf,
  requestProblem,
  validationProblem,
  MAX_TEXT,
  retryInstantIn,
  cleanText,
} from "../../../domains/model/acme-problem.ts";

describe("a CA's message", () => {
  test.each([
    // Pebble, Boulder at an order, Boulder at newAccount, step-ca.
    ["unauthorized", "Account has been deactivated"],
    ["unauthorized", 'Account is not valid, has status "deactivated"'],
    ["unauthorized", "An account with the provided public key exists but is deactivated"],
    ["unauthorized", "account is not active"],
    ["accountDoesNotExist", "the account was deactivated"],
  ] as const)("a closed account is known by the words of its CA (%s: %s)", (type, detail) => {
    expect(requestProblem({ type, detail }, 403).code).toBe("account_deactivated");
  });

  test.each([
    ["unauthorized", "The order belongs to another account", "account_refused"],
    ["unauthorized", "Authorization was deactivated", "account_refused"],
    ["accountDoesNotExist", "Unknown account", "account_unknown"],
  ] as const)("others are not taken for one (%s: %s)", (type, detail, code) => {
    expect(requestProblem({ type, detail }, 403).code).toBe(code);
  });

  test("is one line of at most a thousand characters", () => {
    expect(cleanText("a\n\tb\u0000\u001b[31mc")).toBe("a b [31mc");
    expect(cleanText("x".repeat(1_000_000)).length).toBe(MAX_TEXT);
    expect(cleanText("x".repeat(MAX_TEXT))).toBe("x".repeat(MAX_TEXT));
  });

  test("cannot change the direction of surrounding text", () => {
    expect(cleanText("safe\u202egnp.exe\u2066")).toBe("safe gnp.exe");
  });

  test("is stored for at most a hundred names", () => {
    const part = { type: "dns", detail: "no", name: "a.test" };
    const subproblems = Array.from({ length: 5_000 }, () => part);
    const { names } = requestProblem({ type: "compound", subproblems }, 400);
    expect(names.length).toBe(MAX_SUBPROBLEMS);
  });

  test("contributes a retry time if it contains a valid instant", () => {
    expect(retryInstantIn("retry after 2026-11-21 16:05:00 UTC")).toBe(
      Date.UTC(2026, 10, 21, 16, 5),
    );
    expect(retryInstantIn("retry after 2026-02-30 16:05:00 UTC")).toBeUndefined();
    expect(retryInstantIn("retry after lunch")).toBeUndefined();
  });
});

describe("a help link", () => {
  const helpOf = (detail: string, instance?: string) =>
    requestProblem(
      { type: "rateLimited", detail, ...(instance !== undefined && { instance }) },
      429,
    );

  test("is found in Let's Encrypt's message, without the trailing period", () => {
    const problem = helpOf("Please visit: https://portal.test/sfe/v1/unpause?jwt=a.b-c_d. Thanks");
    expect(problem).toMatchObject({
      code: "paused",
      helpUrl: "https://portal.test/sfe/v1/unpause?jwt=a.b-c_d",
    });
  });

  test("is absent unless it is a short https URL", () => {
    for (const invalid of [
      "javascript:alert(1)",
      "http://ca.test/terms",
      `https://ca.test/${"x".repeat(3_000)}`,
      "https://",
    ]) {
      expect(helpOf("no", invalid)).not.toHaveProperty("helpUrl");
    }
  });

  test("without a pause does not imply one", () => {
    expect(helpOf("see https://ca.test/docs/rate-limits")).toMatchObject({ code: "rate_limited" });
  });
});

test("unauthorized concerns the account in a response, and the web server in a validation", () => {
  const document = { type: "unauthorized", detail: "no" };
  expect(requestProblem(document, 403).code).toBe("account_refused");
  expect(validationProblem(document).code).toBe("wrong_answer");
});

test("a compound problem counts as its first part, and deep nesting ends", () => {
  const nested = Array.from({ length: 50 }).reduce<object>(
    (inner) => ({ type: "compound", subproblems: [inner] }),
    { type: "caa" },
  );
  expect(requestProblem(nested, 400).code).toBe("caa");
  expect(requestProblem({ type: "compound", subproblems: [] }, 400).code).toBe("bad_request");
});

test("without a known type, the status decides", () => {
  const codes = [400, 401, 403, 404, 410, 429, 500, 503].map(
    (status) => requestProblem({ type: "constructor" }, status).code,
  );
  expect(codes).toEqual([
    "bad_request",
    "account_refused",
    "account_refused",
    "order_gone",
    "order_gone",
    "rate_limited",
    "unavailable",
    "unavailable",
  ]);
});

test("the remedy depends on the problem, not on the status", () => {
  expect(remedyOf(requestProblem({ type: "caa" }, 403).code)).toBe("owner");
  expect(remedyOf(requestProblem({ type: "accountDoesNotExist" }, 400).code)).toBe("renew_account");
  expect(remedyOf(ownProblem("unavailable", "gone").code)).toBe("wait");
});
