import { describe, expect, test } from "bun:test";
import { ownProblem, requestProblem } from "../../../domains/model/acme-problem.ts";
import { findingOfProblem } from "../../../domains/model/order-failure.ts";
import { finding, inOrder, type Finding, findingWords } from "../../../domains/model/finding.ts";
import { findingCodes, type FindingCode } from "../../../domains/model/finding-facts.ts";
import { differenceOf } from "../../../domains/model/findings/text.ts";
import { duration, listed } from "../../../domains/model/findings/text.ts";
import { readableSecond } from "../../../lib/base/readable.ts";
import { verify } from "../../../domains/model/verification.ts";
import { wordsFor } from "../../../domains/view/texts.ts";
import { shown } from "../../../domains/view/report.ts";
import type { DomainFindingView } from "../../../domains/view/shapes.ts";
import { toWire } from "../../../lib/base/wire.ts";
import { situations } from "../../helpers/situations.ts";
import { factsOf, NOW, surveyOf } from "../../helpers/survey.ts";

const GOLDEN = new URL("finding.golden.txt", import.meta.url);
const MINUTE = 60_000;

/** Findings from sources other than DNS. */
const others: readonly (readonly [string, Finding])[] = [
  ["a domain of another account", finding("taken", { hostname: "pets.shelter.org" })],
  ["a plan without domains", finding("plan_required", { plan: "Free" })],
  [
    "a plan without domains, read by the operator",
    finding("plan_required", { plan: "Free", readBy: "operator" }),
  ],
  [
    "a plan that no longer includes domains",
    finding("plan_required", {
      plan: "Free",
      hostname: "pets.shelter.org",
      until: NOW + 10_000 * MINUTE,
    }),
  ],
  ...(["owner", "operator"] as const).flatMap((readBy): [string, Finding][] => [
    [
      `a suspended account, read by the ${readBy}`,
      finding("account_suspended", {
        hostname: "pets.shelter.org",
        accountId: "acc_7Gk2mQ9xYt4B",
        since: NOW - 90 * MINUTE,
        readBy,
      }),
    ],
    [
      `a deleted project, read by the ${readBy}`,
      finding("project_deleted", {
        hostname: "pets.shelter.org",
        project: "happy-otter-3f2a",
        since: NOW - 90 * MINUTE,
        restorableUntil: NOW + 1_350 * MINUTE,
        readBy,
      }),
    ],
    [
      `a project that was deleted permanently, read by the ${readBy}`,
      finding("project_deleted", {
        hostname: "pets.shelter.org",
        project: "happy-otter-3f2a",
        since: NOW - 90 * MINUTE,
        readBy,
      }),
    ],
    [
      `an overdue certificate, read by the ${readBy}`,
      finding("overdue", {
        hostname: "pets.shelter.org",
        since: NOW - 11_520 * MINUTE,
        until: NOW + 31_680 * MINUTE,
        expired: false,
        retryAt: NOW + 60 * MINUTE,
        message: "Service busy; retry later.",
        readBy,
      }),
    ],
    [
      `an expired certificate, read by the ${readBy}`,
      finding("overdue", {
        hostname: "pets.shelter.org",
        since: NOW - 50_000 * MINUTE,
        until: NOW - MINUTE,
        expired: true,
        readBy,
      }),
    ],
  ]),
  [
    "a project that is no longer published",
    finding("deploy_required", { project: "happy-otter-3f2a", hostname: "pets.shelter.org" }),
  ],
  ["a project without a deploy", finding("deploy_required", { project: "happy-otter-3f2a" })],
  [
    "a redirect whose target was removed",
    finding("redirect_target_removed", { from: "www.shelter.org", to: "shelter.org" }),
  ],
  [
    "a certificate that cannot be presented",
    finding("not_servable", {
      hostname: "pets.shelter.org",
      message: "The stored certificate chain is damaged: a block in it is cut off.",
    }),
  ],
  [
    "no certificate after half an hour",
    finding("stalled_30m", {
      verifiedAt: NOW - 31 * MINUTE,
      message: "Service busy; retry later.",
    }),
  ],
  [
    "no certificate after half an hour, without a reason",
    finding("stalled_30m", { verifiedAt: NOW }),
  ],
  [
    "an unsuccessful check from outside",
    finding("http01_unreachable", {
      url: "http://pets.shelter.org/.well-known/acme-challenge/check",
      message: "no answer within 5 seconds",
    }),
  ],
  [
    "a redirect loop at Cloudflare",
    finding("redirect_loop_at_proxy", { hostname: "pets.shelter.org", network: "Cloudflare" }),
  ],
  [
    "a redirect loop at another proxy",
    finding("redirect_loop_at_proxy", { hostname: "pets.shelter.org" }),
  ],
  [
    "a CA that asks to wait",
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
    "a CA that refuses the name",
    findingOfProblem("Let's Encrypt", ownProblem("name_refused", "The name is on a blocklist.")),
  ],
  [
    "a CA that has paused the name",
    findingOfProblem("Let's Encrypt", {
      ...ownProblem("paused", "Your account is paused for this name."),
      helpUrl: "https://portal.letsencrypt.org/sfe/v1/unpause?jwt=abc",
    }),
  ],
  [
    "a CA that sees CAA records that we do not see",
    findingOfProblem("Let's Encrypt", ownProblem("caa", "CAA record for shelter.org forbids it")),
  ],
  [
    "a CA that did not reach us",
    findingOfProblem("Let's Encrypt", ownProblem("connection", "Timeout during connect")),
  ],
  [
    "a CA that is down",
    findingOfProblem("Let's Encrypt", ownProblem("unavailable", "The CA answered with HTTP 503.")),
  ],
  [
    "a CA with a deactivated account",
    findingOfProblem("Let's Encrypt", ownProblem("account_deactivated", "Account is deactivated.")),
  ],
  [
    "a CA with new terms",
    findingOfProblem("Let's Encrypt", {
      ...ownProblem("terms_changed", "Terms of service have changed."),
      helpUrl: "https://letsencrypt.org/agree/7",
    }),
  ],
  [
    "a CA with new terms at an unknown URL",
    findingOfProblem("Let's Encrypt", ownProblem("terms_changed", "Terms have changed.")),
  ],
  [
    "a CA that refuses the account",
    findingOfProblem("Let's Encrypt", ownProblem("key_refused", "The key is too weak.")),
  ],
];

const surveyed = situations.flatMap(({ name, ...situation }) =>
  verify(surveyOf(situation), factsOf(situation)).findings.map(
    (found): readonly [string, Finding] => [name, found],
  ),
);
const all = [...surveyed, ...others];

/** Returns the finding as a client receives it. */
function overTheWire(finding: DomainFindingView): DomainFindingView {
  return JSON.parse(JSON.stringify(toWire(finding)));
}

describe("findings", () => {
  test("of every code occur in a situation", () => {
    const seen = new Set(all.map(([, { code }]) => code));
    const codes: readonly string[] = Object.keys(findingCodes);
    expect(codes.filter((code) => !seen.has(code as FindingCode))).toEqual([]);
  });

  test("match the golden file", async () => {
    const text = all.map(([name, found]) => format(name, found)).join("\n");
    if (process.env["UPDATE_GOLDEN"] === "1") await Bun.write(GOLDEN, text);
    expect(text, "if this is meant, run with UPDATE_GOLDEN=1").toBe(await Bun.file(GOLDEN).text());
  });

  test("are complete sentences", () => {
    const incomplete = all
      .flatMap(([, { observed, expected, fix }]) => [observed, expected, fix])
      .filter(
        (text) =>
          text !== "" &&
          (!/^\S.*\S$/s.test(text) || /undefined|NaN|\[object|  |\.\.(?!\.)/.test(text)),
      );
    expect(incomplete).toEqual([]);
  });

  test("have an observation and an expectation", () => {
    expect(all.filter(([, { observed, expected }]) => observed === "" || expected === "")).toEqual(
      [],
    );
  });

  test("have a fix if they block or warn", () => {
    const silent = all.filter(([, { severity, fix }]) => severity !== "ok" && fix === "");
    expect(silent).toEqual([]);
  });

  test("have a documentation link and JSON data", () => {
    for (const [, found] of all) {
      expect(found.docs).toBe(`docs/findings.md#${found.code}`);
      expect(JSON.parse(JSON.stringify(found))).toEqual(found);
    }
  });

  test("are bounded, whatever a zone contains", () => {
    const long = "x".repeat(5_000);
    const many = Array.from({ length: 500 }, (_, index) => `${index}.${long}`);
    const { observed, fix } = finding("extra_address", {
      fqdn: "a.org",
      foreign: many,
      ours: many,
    });
    expect(observed.length + fix.length).toBeLessThan(3_000);
  });

  test("can be recreated from their data", () => {
    for (const [name, found] of all) {
      const { observed, expected, fix } = found;
      const sent = overTheWire({ ...shown(found), observed: "", expected: "", fix: "" });
      expect([name, wordsFor(findingWords, sent)]).toEqual([name, { observed, expected, fix }]);
    }
  });

  test("with unknown or older data keep their own texts", () => {
    const [, found] = all[0] ?? ["", finding("servfail", { name: "a.org" })];
    const words = { observed: "Something new.", expected: "Something else.", fix: "" };
    for (const change of [{ code: "of_tomorrow" }, { code: "toString" }, { data: null }]) {
      expect(wordsFor(findingWords, { ...shown(found), ...words, ...change })).toEqual(words);
    }
  });

  test("have data of limited size", () => {
    const many = Array.from({ length: 500 }, (_, index) => `${index}.${"x".repeat(5_000)}`);
    const flood = finding("extra_address", { fqdn: "a.org", foreign: many, ours: [] });
    expect(JSON.stringify(shown(flood).data).length).toBeLessThan(25_000);
  });

  test("are sorted: blocking, warning, ok", () => {
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
  test("shows a missing character between equal parts", () => {
    expect(differenceOf("k3v7.cname.app", "k3vq7.cname.app")).toEqual({
      start: "k3v",
      observed: "",
      expected: "q",
      end: "7.cname.app",
    });
  });

  test("shows an appended text", () => {
    expect(differenceOf("a.cname.app.shelter.org", "a.cname.app")).toEqual({
      start: "a.cname.app",
      observed: ".shelter.org",
      expected: "",
      end: "",
    });
  });

  test("can be reassembled", () => {
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

describe("text helpers", () => {
  test("list up to four items and count the rest", () => {
    expect(listed(["a"])).toBe("a");
    expect(listed(["a", "b"])).toBe("a and b");
    expect(listed(["a", "b", "c", "d"], "or")).toBe("a, b, c or d");
    expect(listed(["a", "b", "c", "d", "e"])).toBe("a, b, c and 2 more");
  });

  test("format instants to the second, in UTC", () => {
    expect(readableSecond(NOW + 202_000)).toBe("2026-11-21 14:03:22 UTC");
  });

  test("format durations in a suitable unit, rounded up", () => {
    expect([1, 90, 600, 3_601, 7_201].map(duration)).toEqual([
      "1 second",
      "90 seconds",
      "10 minutes",
      "61 minutes",
      "3 hours",
    ]);
  });
});

function format(
  name: string,
  { code, severity, observed, expected, fix, server }: Finding,
): string {
  const from = server === undefined ? "" : ` [${server}]`;
  return `${name} → ${code} (${severity})${from}
  seen:   ${observed}
  should: ${expected}
  do:     ${fix}
`;
}
