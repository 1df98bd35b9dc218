import { describe, expect, test } from "bun:test";
import { ownProblem, requestProblem } from "../../../domains/model/acme-problem.ts";
import { findingOfProblem } from "../../../domains/model/order-failure.ts";
import { finding, inOrder, type Finding, findingWords } from "../../../domains/model/finding.ts";
import { findingCodes, type FindingCode } from "../../../domains/model/finding-facts.ts";
import { differenceOf } from "../../../domains/model/findings/text.ts";
import { duration, instant, listed } from "../../../domains/model/findings/text.ts";
import { verify } from "../../../domains/model/verification.ts";
import { wordsFor } from "../../../domains/texts.ts";
import { shown } from "../../../domains/view/report.ts";
import type { DomainFindingView } from "../../../domains/view/shapes.ts";
import { toWire } from "../../../lib/management/wire.ts";
import { situations } from "../../helpers/situations.ts";
import { factsOf, NOW, surveyOf } from "../../helpers/survey.ts";

const GOLDEN = new URL("finding.golden.txt", import.meta.url);
const MINUTE = 60_000;

/** What is found by other ways than the DNS. */
const others: readonly (readonly [string, Finding])[] = [
  ["a domain of another account", finding("taken", { hostname: "pets.shelter.org" })],
  ["a plan without domains", finding("plan_required", { plan: "Free" })],
  ["a project without a deploy", finding("deploy_required", { project: "happy-otter-3f2a" })],
  [
    "a redirect whose target was removed",
    finding("redirect_target_removed", { from: "www.shelter.org", to: "shelter.org" }),
  ],
  [
    "no certificate after half an hour",
    finding("stalled_30m", {
      verifiedAt: NOW - 31 * MINUTE,
      message: "Service busy; retry later.",
    }),
  ],
  [
    "no certificate after half an hour, nobody says why",
    finding("stalled_30m", { verifiedAt: NOW }),
  ],
  [
    "a look from outside that does not arrive",
    finding("http01_unreachable", {
      url: "http://pets.shelter.org/.well-known/acme-challenge/check",
      message: "no answer within 5 seconds",
    }),
  ],
  [
    "a proxy of Cloudflare that redirects in a circle",
    finding("redirect_loop_at_proxy", { hostname: "pets.shelter.org", network: "Cloudflare" }),
  ],
  [
    "another proxy that redirects in a circle",
    finding("redirect_loop_at_proxy", { hostname: "pets.shelter.org" }),
  ],
  [
    "an authority that asks to wait",
    findingOfProblem(
      "Let's Encrypt",
      requestProblem(
        { type: "rateLimited", detail: "too many certificates already issued" },
        429,
        NOW + 34 * 60 * MINUTE,
      ),
    ),
  ],
  [
    "an authority that refuses the name",
    findingOfProblem("Let's Encrypt", ownProblem("name_refused", "The name is on a blocklist.")),
  ],
  [
    "an authority that has paused the name",
    findingOfProblem("Let's Encrypt", {
      ...ownProblem("paused", "Your account is paused for this name."),
      helpUrl: "https://portal.letsencrypt.org/sfe/v1/unpause?jwt=abc",
    }),
  ],
  [
    "an authority that sees CAA records which we do not see",
    findingOfProblem("Let's Encrypt", ownProblem("caa", "CAA record for shelter.org forbids it")),
  ],
  [
    "an authority that did not reach us",
    findingOfProblem("Let's Encrypt", ownProblem("connection", "Timeout during connect")),
  ],
  [
    "an authority that is down",
    findingOfProblem("Let's Encrypt", ownProblem("unavailable", "The CA answered with HTTP 503.")),
  ],
  [
    "an authority that has closed the account",
    findingOfProblem("Let's Encrypt", ownProblem("account_deactivated", "Account is deactivated.")),
  ],
  [
    "an authority that has new terms",
    findingOfProblem("Let's Encrypt", {
      ...ownProblem("terms_changed", "Terms of service have changed."),
      helpUrl: "https://letsencrypt.org/agree/7",
    }),
  ],
  [
    "an authority that has new terms and does not say where",
    findingOfProblem("Let's Encrypt", ownProblem("terms_changed", "Terms have changed.")),
  ],
  [
    "an authority that refuses the account",
    findingOfProblem("Let's Encrypt", ownProblem("key_refused", "The key is too weak.")),
  ],
];

const surveyed = situations.flatMap(({ name, ...situation }) =>
  verify(surveyOf(situation), factsOf(situation)).findings.map(
    (found): readonly [string, Finding] => [name, found],
  ),
);
const all = [...surveyed, ...others];

/** What a client gets of it. */
function overTheWire(finding: DomainFindingView): DomainFindingView {
  return JSON.parse(JSON.stringify(toWire(finding)));
}

describe("findings", () => {
  test("of every code occur in a situation", () => {
    const seen = new Set(all.map(([, { code }]) => code));
    const codes: readonly string[] = Object.keys(findingCodes);
    expect(codes.filter((code) => !seen.has(code as FindingCode))).toEqual([]);
  });

  test("read as they do in the golden file", async () => {
    const text = all.map(([name, found]) => told(name, found)).join("\n");
    if (process.env["UPDATE_GOLDEN"] === "1") await Bun.write(GOLDEN, text);
    expect(text, "if this is meant, run with UPDATE_GOLDEN=1").toBe(await Bun.file(GOLDEN).text());
  });

  test("are whole sentences without gaps", () => {
    const odd = all
      .flatMap(([, { observed, expected, fix }]) => [observed, expected, fix])
      .filter(
        (text) =>
          text !== "" &&
          (!/^\S.*\S$/s.test(text) || /undefined|NaN|\[object|  |\.\.(?!\.)/.test(text)),
      );
    expect(odd).toEqual([]);
  });

  test("name what was seen and what should be", () => {
    expect(all.filter(([, { observed, expected }]) => observed === "" || expected === "")).toEqual(
      [],
    );
  });

  test("have a way to mend what blocks and what is to be looked at", () => {
    const silent = all.filter(([, { severity, fix }]) => severity !== "ok" && fix === "");
    expect(silent).toEqual([]);
  });

  test("come with their docs and with data that JSON can carry", () => {
    for (const [, found] of all) {
      expect(found.docs).toBe(`docs/findings.md#${found.code}`);
      expect(JSON.parse(JSON.stringify(found))).toEqual(found);
    }
  });

  test("are bounded, whatever a stranger's servers say", () => {
    const long = "x".repeat(5_000);
    const many = Array.from({ length: 500 }, (_, index) => `${index}.${long}`);
    const { observed, fix } = finding("extra_address", {
      fqdn: "a.org",
      foreign: many,
      ours: many,
    });
    expect(observed.length + fix.length).toBeLessThan(3_000);
  });

  test("are told again in the same words by whoever got nothing but their data", () => {
    for (const [name, found] of all) {
      const { observed, expected, fix } = found;
      const sent = overTheWire({ ...shown(found), observed: "", expected: "", fix: "" });
      expect([name, wordsFor(findingWords, sent)]).toEqual([name, { observed, expected, fix }]);
    }
  });

  test("of a later version, or kept by an older one, are told in their own words", () => {
    const [, found] = all[0] ?? ["", finding("servfail", { name: "a.org" })];
    const words = { observed: "Something new.", expected: "Something else.", fix: "" };
    for (const change of [{ code: "of_tomorrow" }, { code: "toString" }, { data: null }]) {
      expect(wordsFor(findingWords, { ...shown(found), ...words, ...change })).toEqual(words);
    }
  });

  test("carry no more data than anybody would read", () => {
    const many = Array.from({ length: 500 }, (_, index) => `${index}.${"x".repeat(5_000)}`);
    const flood = finding("extra_address", { fqdn: "a.org", foreign: many, ours: [] });
    expect(JSON.stringify(shown(flood).data).length).toBeLessThan(25_000);
  });

  test("that block come first, then warnings, then what is right", () => {
    const ordered = inOrder([
      finding("cname_found", { fqdn: "a.org", target: "b.org", through: [] }),
      finding("plan_required", { plan: "Free" }),
      finding("servfail", { name: "a.org" }),
      finding("taken", { hostname: "a.org" }),
    ]);
    expect(ordered.map(({ code }) => code)).toEqual([
      "taken",
      "plan_required",
      "servfail",
      "cname_found",
    ]);
  });
});

describe("a difference", () => {
  test("shows a missing letter between what is the same", () => {
    expect(differenceOf("k3v7.cname.app", "k3vq7.cname.app")).toEqual({
      start: "k3v",
      observed: "",
      expected: "q",
      end: "7.cname.app",
    });
  });

  test("shows what was appended", () => {
    expect(differenceOf("a.cname.app.shelter.org", "a.cname.app")).toEqual({
      start: "a.cname.app",
      observed: ".shelter.org",
      expected: "",
      end: "",
    });
  });

  test("puts together what it took apart", () => {
    for (const [observed, expected] of [
      ["aaa", "aa"],
      ["abab", "ab"],
      ["", "x"],
      ["same", "same"],
      ["left", "right"],
    ] as const) {
      const { start, observed: was, expected: should, end } = differenceOf(observed, expected);
      expect(start + was + end).toBe(observed);
      expect(start + should + end).toBe(expected);
    }
  });
});

describe("words", () => {
  test("list up to four things and count the rest", () => {
    expect(listed(["a"])).toBe("a");
    expect(listed(["a", "b"])).toBe("a and b");
    expect(listed(["a", "b", "c", "d"], "or")).toBe("a, b, c or d");
    expect(listed(["a", "b", "c", "d", "e"])).toBe("a, b, c and 2 more");
  });

  test("tell an instant to the second, in UTC", () => {
    expect(instant(NOW + 202_000)).toBe("2026-11-21 14:03:22 UTC");
  });

  test("tell a duration in a unit that fits, never too short", () => {
    expect([1, 90, 600, 3_601, 7_201].map(duration)).toEqual([
      "1 second",
      "90 seconds",
      "10 minutes",
      "61 minutes",
      "3 hours",
    ]);
  });
});

function told(name: string, { code, severity, observed, expected, fix, server }: Finding): string {
  const from = server === undefined ? "" : ` [${server}]`;
  return `${name} → ${code} (${severity})${from}
  seen:   ${observed}
  should: ${expected}
  do:     ${fix}
`;
}
