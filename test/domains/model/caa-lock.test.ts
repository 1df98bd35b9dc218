import { describe, expect, test } from "bun:test";

import type { CaaRecord } from "../../../domains/model/answer.ts";
import type { CaaRequest } from "../../../domains/model/caa.ts";
import { judgeLock, lockOf, permissionAt } from "../../../domains/model/caa-lock.ts";

const ACCOUNT = "https://acme.ca.test/acct/Ab1";
const NEXT = "https://acme.ca.test/acct/Ab2";
const OTHER = "https://acme.ca.test/acct/9";
const REQUEST: CaaRequest = {
  identities: ["ca.test", "ca-old.test"],
  accountUri: ACCOUNT,
  methods: ["http-01", "tls-alpn-01"],
};
const BOTH = "validationmethods=http-01,tls-alpn-01";

function records(...values: readonly string[]): readonly CaaRecord[] {
  return values.map((value) => ({ flags: 0, tag: "issue", value }));
}

function stateOf(request: CaaRequest, ...values: readonly string[]): string {
  const state = judgeLock(records(...values), [{ caa: request, successorUri: NEXT }]);
  return state.kind === "wrong" ? state.faults.join() : state.kind;
}

test("the record names the CA, our account as the CA wrote it, and our methods", () => {
  expect(lockOf("ca", REQUEST)).toEqual({
    issuer: "ca",
    complete: true,
    record: `0 issue "ca.test; accounturi=https://acme.ca.test/acct/Ab1; validationmethods=http-01,tls-alpn-01"`,
  });
});

test("the record lacks the account until one is registered, and does not exist for a CA without a name", () => {
  const { identities, methods } = REQUEST;
  expect(lockOf("ca", { identities, methods })).toEqual({
    issuer: "ca",
    complete: false,
    record: `0 issue "ca.test; validationmethods=http-01,tls-alpn-01"`,
  });
  expect(lockOf("ca", { ...REQUEST, identities: [] })).toBeUndefined();
});

describe("a set of records", () => {
  test.each<[what: string, values: readonly string[], state: string]>([
    ["without records", [], "absent"],
    ["as printed", [`ca.test; accounturi=${ACCOUNT}; ${BOTH}`], "locked"],
    ["without spaces", [`ca.test;accounturi=${ACCOUNT};${BOTH}`], "locked"],
    ["with another identity of the CA", [`ca-old.test; accounturi=${ACCOUNT}; ${BOTH}`], "locked"],
    ["without methods", [`ca.test; accounturi=${ACCOUNT}`], "locked"],
    [
      "with the successor's record beside ours",
      [`ca.test; accounturi=${ACCOUNT}; ${BOTH}`, `ca.test; accounturi=${NEXT}; ${BOTH}`],
      "locked",
    ],
    [
      "with another CA's record beside ours",
      [`ca.test; accounturi=${ACCOUNT}; ${BOTH}`, "other.test"],
      "open",
    ],
    ["that also allow no CA", [`ca.test; accounturi=${ACCOUNT}; ${BOTH}`, ";"], "locked"],
    ["for any account of the CA", [`ca.test; ${BOTH}`], "open"],
    [
      "for us and another account",
      [`ca.test; accounturi=${ACCOUNT}; ${BOTH}`, `ca.test; accounturi=${OTHER}`],
      "open",
    ],
    ["for another account", [`ca.test; accounturi=${OTHER}; ${BOTH}`], "other_account"],
    ["for another CA", ["other.test"], "other_issuer"],
    ["for no CA", [";"], "other_issuer"],
    [
      "with a scheme in capitals",
      [`ca.test; accounturi=${ACCOUNT.replace("https", "HTTPS")}; ${BOTH}`],
      "letter_case",
    ],
    [
      "with a path in lower case",
      [`ca.test; accounturi=${ACCOUNT.toLowerCase()}; ${BOTH}`],
      "letter_case",
    ],
    ["with the CA in capitals", [`CA.test; accounturi=${ACCOUNT}; ${BOTH}`], "letter_case"],
    ["with a slash too many", [`ca.test; accounturi=${ACCOUNT}/; ${BOTH}`], "other_account"],
    [
      "with one method of two",
      [`ca.test; accounturi=${ACCOUNT}; validationmethods=http-01`],
      "missing_method",
    ],
    [
      "with other methods",
      [`ca.test; accounturi=${ACCOUNT}; validationmethods=dns-01`],
      "missing_method",
    ],
    [
      "with methods in two records",
      [
        `ca.test; accounturi=${ACCOUNT}; validationmethods=http-01`,
        `ca.test; accounturi=${ACCOUNT}; validationmethods=tls-alpn-01`,
      ],
      "locked",
    ],
    ["with a parameter without a value", ["ca.test; accounturi"], "malformed"],
  ])("%s is judged", (_what, values, state) => {
    expect(stateOf(REQUEST, ...values)).toBe(state);
  });

  test("with an unknown critical record is invalid", () => {
    const set = [
      ...records(`ca.test; accounturi=${ACCOUNT}`),
      { flags: 128, tag: "tbs", value: "" },
    ];
    expect(judgeLock(set, [{ caa: REQUEST }])).toEqual({ kind: "wrong", faults: ["malformed"] });
  });

  test("with only a contact forbids nothing and locks nothing", () => {
    const set = [{ flags: 0, tag: "iodef", value: "mailto:a@ca.test" }];
    expect(judgeLock(set, [{ caa: REQUEST }])).toEqual({ kind: "open" });
  });

  test("that lets others issue wildcards is open", () => {
    const wild = { flags: 0, tag: "issuewild", value: "other.test" };
    const set = [...records(`ca.test; accounturi=${ACCOUNT}; ${BOTH}`), wild];
    expect(judgeLock(set, [{ caa: REQUEST }])).toEqual({ kind: "open" });
  });

  test("has one record for each of several issuers", () => {
    const second = { identities: ["b.test"], accountUri: "https://b.test/1", methods: ["http-01"] };
    const both = [{ caa: REQUEST }, { caa: second }];
    const ofFirst = `ca.test; accounturi=${ACCOUNT}; ${BOTH}`;
    const ofSecond = "b.test; accounturi=https://b.test/1; validationmethods=http-01";
    expect(judgeLock(records(ofFirst, ofSecond), both)).toEqual({ kind: "locked" });
    expect(judgeLock(records(ofFirst), both)).toEqual({ kind: "wrong", faults: ["other_issuer"] });
    expect(judgeLock(records(ofFirst, ofSecond), [{ caa: REQUEST }])).toEqual({ kind: "open" });
  });

  test("that names an account while we have none is for another account", () => {
    const { identities, methods } = REQUEST;
    expect(stateOf({ identities, methods }, `ca.test; accounturi=${OTHER}`)).toBe("other_account");
  });
});

describe("an account at the name servers", () => {
  const answered = (ttlSeconds: number, ...values: readonly string[]) => {
    const [first, ...rest] = records(...values);
    const base = { ttlSeconds, aliases: [], authenticated: false };
    return {
      servers: ["ns1.test"],
      answer:
        first === undefined
          ? ({ kind: "absent", reason: "nodata", ...base } as const)
          : ({ kind: "found", records: [first, ...rest], ...base } as const),
    };
  };
  const next = { ...REQUEST, accountUri: NEXT };
  const before = `ca.test; accounturi=${ACCOUNT}; ${BOTH}`;
  const after = `ca.test; accounturi=${NEXT}; ${BOTH}`;

  test("is visible once every server that answers allows it", () => {
    expect(permissionAt([], next)).toEqual({ kind: "unknown" });
    expect(permissionAt([answered(60, before)], next)).toEqual({ kind: "forbidden" });
    const half = [answered(60, before, after), answered(3_600, before)];
    expect(permissionAt(half, next)).toEqual({ kind: "forbidden" });
    const all = [answered(60, before, after)];
    expect(permissionAt(all, next)).toEqual({ kind: "allowed", byName: true, ttlSeconds: 60 });
  });

  test("needs no record where none names an account", () => {
    const free = { kind: "allowed", byName: false };
    expect(permissionAt([answered(5)], next)).toMatchObject(free);
    expect(permissionAt([answered(5, "ca.test")], next)).toMatchObject(free);
  });
});
