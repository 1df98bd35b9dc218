import { describe, expect, test } from "bun:test";

import type { CaaRecord } from "../../../domains/model/answer.ts";
import { evaluateCaa, type CaaRequest } from "../../../domains/model/caa.ts";

const account = "https://ca.test/acme/acct/123";
const ours: CaaRequest = {
  identities: ["ca.test", "ca-old.test"],
  accountUri: account,
  methods: ["http-01", "tls-alpn-01"],
};

/** Parses `0 issue ca.test; a=b` as a record. */
function record(line: string): CaaRecord {
  const [, flags = "", tag = "", value = ""] = /^(\d+) (\S+) ?(.*)$/s.exec(line) ?? [];
  return { flags: Number(flags), tag, value };
}

function verdict(lines: readonly string[], request: Partial<CaaRequest> = {}): string {
  const result = evaluateCaa(lines.map(record), { ...ours, ...request });
  return result.kind === "allowed" ? result.methods.join(" ") : result.reason;
}

const both = "http-01 tls-alpn-01";

describe("CAA records of a name", () => {
  test.each<[what: string, lines: readonly string[], verdict: string]>([
    ["are absent: allowed", [], both],
    ["name us: allowed", ["0 issue ca.test"], both],
    ["name another identity of ours: allowed", ["0 issue ca-old.test"], both],
    ["name another CA: forbidden", ["0 issue other.test"], "other_issuer"],
    ["name another CA and us: allowed", ["0 issue other.test", "0 issue ca.test"], both],
    ["name no CA: forbidden", ["0 issue ;"], "other_issuer"],
    ["are empty: forbidden", ["0 issue "], "other_issuer"],
    ["name no CA and us: allowed", ["0 issue ;", "0 issue ca.test"], both],
    ["name a suffix of our name: forbidden", ["0 issue test"], "other_issuer"],
    ["name a subdomain of our name: forbidden", ["0 issue my.ca.test"], "other_issuer"],
    [
      "name us in capitals: forbidden, as CAs compare case-sensitively",
      ["0 issue CA.test"],
      "other_issuer",
    ],
    ["have a tag in capitals: forbidden", ["0 ISSUE other.test"], "other_issuer"],
    ["have a tag in mixed case: allowed", ["0 IsSuE ca.test"], both],
    ["have spaces around our name: allowed", ["0 issue   ca.test  "], both],
    ["have tabs around our name: allowed", [String.raw`0 issue \009ca.test\009`], both],
    ["have a trailing semicolon: allowed", ["0 issue ca.test;"], both],
    ["have a trailing semicolon and spaces: allowed", ["0 issue ca.test ;  "], both],
    ["have two semicolons: malformed", ["0 issue ca.test;;"], "malformed"],
    ["have only iodef: allowed", ["0 iodef mailto:a@b.test"], both],
    ["have only a critical iodef: allowed", ["128 iodef x"], both],
    ["concern mail certificates: allowed", ["0 issuemail other.test"], both],
    ["concern mail certificates, critical: allowed", ["128 issuemail other.test"], both],
    ["concern mark certificates, critical: allowed", ["128 issuevmc other.test"], both],
    ["concern wildcards only: allowed", ["0 issuewild other.test"], both],
    ["forbid only wildcards: allowed", ["0 issuewild ;"], both],
    [
      "allow us only wildcards: forbidden",
      ["0 issuewild ca.test", "0 issue other.test"],
      "other_issuer",
    ],
    ["have an unknown tag: allowed", ["0 unheard-of x"], both],
    ["have an unknown critical tag: forbidden", ["128 unheard-of x"], "critical_tag"],
    [
      "have an unknown tag with the bit often mistaken for critical: forbidden",
      ["1 unheard-of x"],
      "critical_tag",
    ],
    ["have an unknown tag with other flags: allowed", ["126 unheard-of x"], both],
    [
      "have an unknown critical tag beside our name: forbidden",
      ["0 issue ca.test", "128 new x"],
      "critical_tag",
    ],
    ["name us in a critical record: allowed", ["128 issue ca.test"], both],
    ["name another CA in a critical record: forbidden", ["128 issue other.test"], "other_issuer"],
    ["have an unknown parameter: allowed", ["0 issue ca.test; colour=blue"], both],
    ["have an empty parameter: allowed", ["0 issue ca.test; colour="], both],
    ["have a parameter without a value: malformed", ["0 issue ca.test; colour"], "malformed"],
    ["have a parameter without a name: malformed", ["0 issue ca.test; =blue"], "malformed"],
    ["have an invalid parameter name: malformed", ["0 issue ca.test; co_lour=x"], "malformed"],
    ["have a space in a value: malformed", ["0 issue ca.test; colour=light blue"], "malformed"],
    [
      "have a non-ASCII octet in a value: malformed",
      [String.raw`0 issue ca.test; a=\255`],
      "malformed",
    ],
    ["are partly malformed: the others apply", ["0 issue ca.test; x", "0 issue ca.test"], both],
    ["name our account: allowed", [`0 issue ca.test; accounturi=${account}`], both],
    [
      "name our account with spaces: allowed",
      [`0 issue ca.test ;  accounturi = ${account} `],
      both,
    ],
    [
      "name another account: forbidden",
      [`0 issue ca.test; accounturi=${account}4`],
      "other_account",
    ],
    ["name an empty account: forbidden", ["0 issue ca.test; accounturi="], "other_account"],
    [
      "name our account at another CA: forbidden",
      [`0 issue other.test; accounturi=${account}`],
      "other_issuer",
    ],
    [
      "name two accounts in one record: malformed",
      [`0 issue ca.test; accounturi=${account}; accounturi=${account}`],
      "malformed",
    ],
    [
      "name another account and ours: allowed",
      ["0 issue ca.test; accounturi=https://x.test/1", `0 issue ca.test; accounturi=${account}`],
      both,
    ],
    ["allow one method", ["0 issue ca.test; validationmethods=http-01"], "http-01"],
    [
      "allow the second method",
      ["0 issue ca.test; validationmethods=dns-01,tls-alpn-01"],
      "tls-alpn-01",
    ],
    [
      "allow both methods, which stay in our order",
      ["0 issue ca.test; validationmethods=tls-alpn-01,http-01"],
      both,
    ],
    [
      "allow one method each: both",
      [
        "0 issue ca.test; validationmethods=tls-alpn-01",
        "0 issue ca.test; validationmethods=http-01",
      ],
      both,
    ],
    [
      "allow only methods that we lack: forbidden",
      ["0 issue ca.test; validationmethods=dns-01"],
      "other_method",
    ],
    [
      "allow only unknown methods: forbidden",
      ["0 issue ca.test; validationmethods=ca-own"],
      "other_method",
    ],
    [
      "have an empty list of methods: malformed",
      ["0 issue ca.test; validationmethods="],
      "malformed",
    ],
    [
      "have an invalid method: malformed",
      ["0 issue ca.test; validationmethods=http-01,a_b"],
      "malformed",
    ],
    [
      "name a method in capitals: forbidden",
      ["0 issue ca.test; validationmethods=HTTP-01"],
      "other_method",
    ],
    [
      "allow our account one method",
      [`0 issue ca.test; accounturi=${account}; validationmethods=http-01`],
      "http-01",
    ],
    [
      "allow another account one method: forbidden",
      ["0 issue ca.test; accounturi=https://x.test/1; validationmethods=http-01"],
      "other_account",
    ],
  ])("%s", (_, lines, expected) => {
    expect(verdict(lines)).toBe(expected);
  });

  test("name an account while we have none: forbidden", () => {
    const { accountUri: _, ...without } = ours;
    const result = evaluateCaa([record(`0 issue ca.test; accounturi=${account}`)], without);
    expect(result).toEqual({ kind: "forbidden", reason: "other_account" });
  });

  test("are reported with the nearest miss", () => {
    const lines = ["0 issue other.test", "0 issue ca.test; accounturi=https://x.test/1"];
    expect(verdict(lines)).toBe("other_account");
  });
});

describe("CAA records of a wildcard", () => {
  test.each<[what: string, lines: readonly string[], verdict: string]>([
    ["name another CA: forbidden", ["0 issue other.test"], "other_issuer"],
    ["name us: allowed", ["0 issue ca.test"], both],
    [
      "allow us wildcards beside other CAs: allowed",
      ["0 issue other.test", "0 issuewild ca.test"],
      both,
    ],
    [
      "allow another CA wildcards beside our name: forbidden",
      ["0 issue ca.test", "0 issuewild other.test"],
      "other_issuer",
    ],
    ["forbid wildcards: forbidden", ["0 issue ca.test", "0 issuewild ;"], "other_issuer"],
    ["have only iodef: allowed", ["0 iodef mailto:a@b.test"], both],
    ["have a tag in capitals: forbidden", ["0 IssueWild ;"], "other_issuer"],
  ])("%s", (_, lines, expected) => {
    expect(verdict(lines, { wildcard: true })).toBe(expected);
  });
});
