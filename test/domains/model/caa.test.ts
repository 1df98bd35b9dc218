import { describe, expect, test } from "bun:test";

import type { CaaRecord } from "../../../domains/model/answer.ts";
import { evaluateCaa, type CaaRequest } from "../../../domains/model/caa.ts";

const account = "https://ca.test/acme/acct/123";
const ours: CaaRequest = {
  identities: ["ca.test", "ca-old.test"],
  accountUri: account,
  methods: ["http-01", "tls-alpn-01"],
};

/** `0 issue ca.test; a=b` as a record. */
function record(line: string): CaaRecord {
  const [, flags = "", tag = "", value = ""] = /^(\d+) (\S+) ?(.*)$/s.exec(line) ?? [];
  return { flags: Number(flags), tag, value };
}

function verdict(lines: readonly string[], request: Partial<CaaRequest> = {}): string {
  const told = evaluateCaa(lines.map(record), { ...ours, ...request });
  return told.kind === "allowed" ? told.methods.join(" ") : told.reason;
}

const both = "http-01 tls-alpn-01";

describe("for a name, CAA records", () => {
  test.each<[what: string, lines: readonly string[], verdict: string]>([
    ["that are not there let everybody", [], both],
    ["that name us let us", ["0 issue ca.test"], both],
    ["that name us by another of our names let us", ["0 issue ca-old.test"], both],
    ["that name another do not", ["0 issue other.test"], "other_issuer"],
    ["that name another and us let us", ["0 issue other.test", "0 issue ca.test"], both],
    ["that name nobody forbid", ["0 issue ;"], "other_issuer"],
    ["that are empty forbid", ["0 issue "], "other_issuer"],
    ["that name nobody and us let us", ["0 issue ;", "0 issue ca.test"], both],
    ["with a name that ours ends in do not", ["0 issue test"], "other_issuer"],
    ["with a name that ends in ours do not", ["0 issue my.ca.test"], "other_issuer"],
    [
      "with our name in capitals do not, for CAs compare letters",
      ["0 issue CA.test"],
      "other_issuer",
    ],
    ["with a tag in capitals count", ["0 ISSUE other.test"], "other_issuer"],
    ["with a tag in mixed case let us", ["0 IsSuE ca.test"], both],
    ["with blanks around our name let us", ["0 issue   ca.test  "], both],
    ["with tabs around our name let us", [String.raw`0 issue \009ca.test\009`], both],
    ["with a semicolon and nothing after it let us", ["0 issue ca.test;"], both],
    ["with a semicolon and blanks after it let us", ["0 issue ca.test ;  "], both],
    ["with two semicolons cannot be read", ["0 issue ca.test;;"], "malformed"],
    ["that only tell where to complain let us", ["0 iodef mailto:a@b.test"], both],
    ["that only tell where to complain let us, critical or not", ["128 iodef x"], both],
    ["about mail certificates let us", ["0 issuemail other.test"], both],
    ["about mail certificates let us, critical or not", ["128 issuemail other.test"], both],
    ["about marks let us, critical or not", ["128 issuevmc other.test"], both],
    ["for wildcards alone let us", ["0 issuewild other.test"], both],
    ["for wildcards that name nobody let us", ["0 issuewild ;"], both],
    [
      "for wildcards alone give us nothing beside others",
      ["0 issuewild ca.test", "0 issue other.test"],
      "other_issuer",
    ],
    ["of an unknown kind let us", ["0 unheard-of x"], both],
    ["of an unknown kind forbid when critical", ["128 unheard-of x"], "critical_tag"],
    [
      "of an unknown kind forbid when the wrong bit says critical",
      ["1 unheard-of x"],
      "critical_tag",
    ],
    ["of an unknown kind with other bits let us", ["126 unheard-of x"], both],
    [
      "of an unknown critical kind forbid, though others let us",
      ["0 issue ca.test", "128 new x"],
      "critical_tag",
    ],
    ["that are critical and known are read as ever", ["128 issue ca.test"], both],
    ["that are critical and name others forbid", ["128 issue other.test"], "other_issuer"],
    ["with a parameter nobody knows let us", ["0 issue ca.test; colour=blue"], both],
    ["with an empty parameter let us", ["0 issue ca.test; colour="], both],
    ["with a parameter without a value cannot be read", ["0 issue ca.test; colour"], "malformed"],
    ["with a parameter without a name cannot be read", ["0 issue ca.test; =blue"], "malformed"],
    ["with a strange parameter name cannot be read", ["0 issue ca.test; co_lour=x"], "malformed"],
    ["with a blank in a value cannot be read", ["0 issue ca.test; colour=light blue"], "malformed"],
    [
      "with an octet beyond ASCII in a value cannot be read",
      [String.raw`0 issue ca.test; a=\255`],
      "malformed",
    ],
    [
      "that cannot be read do not spoil those that can",
      ["0 issue ca.test; x", "0 issue ca.test"],
      both,
    ],
    ["for our account let us", [`0 issue ca.test; accounturi=${account}`], both],
    [
      "for our account let us, blanks or not",
      [`0 issue ca.test ;  accounturi = ${account} `],
      both,
    ],
    ["for another account do not", [`0 issue ca.test; accounturi=${account}4`], "other_account"],
    ["for no account at all do not", ["0 issue ca.test; accounturi="], "other_account"],
    [
      "for our account at another issuer do not",
      [`0 issue other.test; accounturi=${account}`],
      "other_issuer",
    ],
    [
      "for two accounts at once cannot be read",
      [`0 issue ca.test; accounturi=${account}; accounturi=${account}`],
      "malformed",
    ],
    [
      "for another account and for ours let us",
      ["0 issue ca.test; accounturi=https://x.test/1", `0 issue ca.test; accounturi=${account}`],
      both,
    ],
    ["for one method leave that", ["0 issue ca.test; validationmethods=http-01"], "http-01"],
    [
      "for the second method leave that",
      ["0 issue ca.test; validationmethods=dns-01,tls-alpn-01"],
      "tls-alpn-01",
    ],
    [
      "for both methods leave both in our order",
      ["0 issue ca.test; validationmethods=tls-alpn-01,http-01"],
      both,
    ],
    [
      "for one method each leave both",
      [
        "0 issue ca.test; validationmethods=tls-alpn-01",
        "0 issue ca.test; validationmethods=http-01",
      ],
      both,
    ],
    [
      "for methods that are not ours forbid",
      ["0 issue ca.test; validationmethods=dns-01"],
      "other_method",
    ],
    [
      "for methods that nobody knows forbid",
      ["0 issue ca.test; validationmethods=ca-own"],
      "other_method",
    ],
    ["for no method cannot be read", ["0 issue ca.test; validationmethods="], "malformed"],
    [
      "with a strange method cannot be read",
      ["0 issue ca.test; validationmethods=http-01,a_b"],
      "malformed",
    ],
    [
      "with a method in capitals forbid",
      ["0 issue ca.test; validationmethods=HTTP-01"],
      "other_method",
    ],
    [
      "for our account and one method leave that",
      [`0 issue ca.test; accounturi=${account}; validationmethods=http-01`],
      "http-01",
    ],
    [
      "for another account's method forbid",
      ["0 issue ca.test; accounturi=https://x.test/1; validationmethods=http-01"],
      "other_account",
    ],
  ])("%s", (_, lines, expected) => {
    expect(verdict(lines)).toBe(expected);
  });

  test("for an account forbid as long as we have none", () => {
    const { accountUri: _, ...without } = ours;
    const told = evaluateCaa([record(`0 issue ca.test; accounturi=${account}`)], without);
    expect(told).toEqual({ kind: "forbidden", reason: "other_account" });
  });

  test("tell the nearest miss", () => {
    const lines = ["0 issue other.test", "0 issue ca.test; accounturi=https://x.test/1"];
    expect(verdict(lines)).toBe("other_account");
  });
});

describe("for a wildcard, CAA records", () => {
  test.each<[what: string, lines: readonly string[], verdict: string]>([
    ["that name others forbid", ["0 issue other.test"], "other_issuer"],
    ["that name us let us", ["0 issue ca.test"], both],
    [
      "for wildcards that name us let us, whoever else is named",
      ["0 issue other.test", "0 issuewild ca.test"],
      both,
    ],
    [
      "for wildcards that name others forbid, though we are named",
      ["0 issue ca.test", "0 issuewild other.test"],
      "other_issuer",
    ],
    ["for wildcards that name nobody forbid", ["0 issue ca.test", "0 issuewild ;"], "other_issuer"],
    ["that only tell where to complain let us", ["0 iodef mailto:a@b.test"], both],
    ["with a tag in capitals count", ["0 IssueWild ;"], "other_issuer"],
  ])("%s", (_, lines, expected) => {
    expect(verdict(lines, { wildcard: true })).toBe(expected);
  });
});
