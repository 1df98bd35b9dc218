import { describe, expect, test } from "bun:test";

import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import type { OutsideView } from "../../../domains/model/outside.ts";
import type { CheckFromOutside, OutsideRequest } from "../../../domains/outside/outside-check.ts";
import type { VerifierReport, VerifySubject } from "../../../domains/ports/verifier.ts";
import {
  createExplorer,
  createVerifier,
  type VerifierOptions,
} from "../../../domains/outside/verifier.ts";
import { readReport } from "../../../domains/view/report.ts";
import { parseHostname } from "../../../domains/model/hostname.ts";
import { factsOf, OURS, surveyOf, TARGET, TOKEN, type Situation } from "../../helpers/survey.ts";
import { caaFound } from "../../helpers/situations.ts";

const [targetLabel = "", ...zone] = TARGET.split(".");
const signal = new AbortController().signal;

interface CheckRequest {
  readonly target: string;
  readonly ownershipName: string;
}

function over(situation: Situation, requests: CheckRequest[] = []): VerifierOptions {
  return {
    survey: async (request) => {
      requests.push(request);
      return surveyOf({ hostname: request.hostname, ...situation });
    },
    suffixes: () => publicSuffixes,
    cnameTarget: zone.join("."),
    issuers: async () => factsOf().issuers,
  };
}

function look(
  situation: Situation,
  subject: Partial<VerifySubject> = {},
  requests: CheckRequest[] = [],
): Promise<VerifierReport> {
  return createVerifier(over(situation, requests))(subjectOf(subject), signal);
}

function subjectOf(subject: Partial<VerifySubject>): VerifySubject {
  return {
    name: "pets.shelter.org",
    targetLabel,
    ownershipToken: TOKEN,
    attachedBefore: false,
    contested: false,
    ...subject,
  };
}

const led: Situation = { all: { a: OURS.a, aaaa: OURS.aaaa } };

describe("a DNS check of a domain", () => {
  test("queries its own target and its own ownership record", async () => {
    const requests: CheckRequest[] = [];
    expect(await look({}, {}, requests)).toMatchObject({
      state: "verified",
      blocking: [],
      leadsHere: true,
    });
    expect(requests).toMatchObject([
      { target: TARGET, ownershipName: "_petstore.pets.shelter.org" },
    ]);
  });

  test("stores its details, which can be read back", async () => {
    const { details, blocking } = await look({ all: { a: ["203.0.113.9"] } });
    expect(blocking).toEqual(["conflicting_a"]);
    const report = readReport(JSON.stringify(details));
    expect(report?.findings).toMatchObject([{ code: "conflicting_a", severity: "blocking" }]);
    expect(report?.findings[0]).not.toHaveProperty("facts");
    expect(report?.records).toMatchObject([
      {
        purpose: "routing",
        type: "CNAME",
        state: "wrong",
        found: [{ value: "203.0.113.9" }, {}, {}, {}],
      },
    ]);
    expect(report?.apex).toBe(false);
  });

  test("requires a proof of ownership if the name pointed here before it was added", async () => {
    const first = await look(led);
    expect([first.state, first.blocking, first.leadsHere]).toEqual([
      "blocked",
      ["ownership_missing"],
      true,
    ]);
    expect((await look(led, { ledHere: true })).blocking).toEqual(["ownership_missing"]);
    const proven = { ...led, all: { ...led.all, txt: [TOKEN] } };
    expect((await look(proven, { ledHere: true })).state).toBe("verified");
    expect((await look(led, { ledHere: false })).state).toBe("verified");
    expect((await look({}, { ledHere: true })).state).toBe("verified");
  });

  test("that is inconclusive does not determine where the name pointed at first", async () => {
    const forbidden: Situation = {
      all: { silent: "timeout" },
      change: (survey) => ({ ...survey, caa: caaFound("digicert.com") }),
    };
    const first = await look(forbidden);
    expect([first.state, first.blocking]).toEqual([
      "unknown",
      ["delegation_broken", "caa_forbids"],
    ]);
    expect((await look(forbidden, { ledHere: false })).state).toBe("blocked");
  });

  test.each([["contested"], ["attachedBefore"]] as const)(
    "requires a proof of ownership for a name that is %s, unless it leads to its own target",
    async (reason) => {
      const subject = { ledHere: false, [reason]: true };
      expect((await look(led, subject)).blocking).toEqual(["ownership_missing"]);
      expect((await look({}, subject)).state).toBe("verified");
    },
  );

  test("finds a zone apex by delegation, or by registration if there is no zone", async () => {
    const apex = async (situation: Situation, name: string) =>
      readReport(JSON.stringify((await look(situation, { name })).details))?.apex;
    expect(await apex({ zone: "pets.shelter.org" }, "pets.shelter.org")).toBe(true);
    expect(await apex({}, "pets.shelter.org")).toBe(false);
    expect(await apex({ zone: "unknown" }, "shelter.org")).toBe(true);
    expect(await apex({ zone: "unknown" }, "pets.shelter.org")).toBe(false);
  });
});

describe("the check of a domain behind a proxy", () => {
  const PROXIED: Situation = { all: { a: ["104.21.5.9"], txt: [TOKEN] } };
  const requests: OutsideRequest[] = [];
  const seen = async (view: OutsideView, situation = PROXIED, ledHere = false) => {
    const outside: CheckFromOutside = async (one) => {
      requests.push(one);
      return view;
    };
    const verifier = createVerifier({ ...over(situation), outside });
    const report = await verifier(subjectOf({ ledHere }), signal);
    const codes = readReport(JSON.stringify(report.details))?.findings.map(({ code }) => code);
    return { ...report, codes };
  };

  test("goes through the proxy, at the survey's addresses, in the remaining time of ten seconds", async () => {
    requests.length = 0;
    const report = await seen({ kind: "us", circles: false });
    expect(requests).toEqual([
      { name: "pets.shelter.org", addresses: ["104.21.5.9"], proxied: true, withinMs: 9_300 },
    ]);
    expect(report).toMatchObject({ state: "verified", leadsHere: true });
    expect(report.codes).toEqual(["proxied", "ownership_found"]);
    // It has been checked.
    expect(report.addresses).toBeUndefined();
  });

  test("requires a proof of ownership as well", async () => {
    const report = await seen({ kind: "us", circles: false }, { all: { a: ["104.21.5.9"] } });
    expect([report.state, report.blocking]).toEqual(["blocked", ["ownership_missing"]]);
  });

  test("finds another server behind it", async () => {
    const report = await seen({ kind: "other", status: 404 });
    expect([report.state, report.blocking]).toEqual(["blocked", ["proxied"]]);
    expect(report.codes).toEqual(["proxied", "http01_unreachable", "ownership_found"]);
  });

  test("finds a redirect loop that ends here", async () => {
    const report = await seen({ kind: "us", circles: true });
    expect(report.state).toBe("verified");
    expect(report.codes).toEqual(["proxied", "redirect_loop_at_proxy", "ownership_found"]);
    const { findings = [] } = readReport(JSON.stringify(report.details)) ?? {};
    expect(findings[1]?.fix).toContain("Full (strict)");
  });

  test.each([
    [{ kind: "timeout" }],
    [{ kind: "refused" }],
    [{ kind: "unlooked" }],
    [{ kind: "other", status: 522 }],
  ] as const)("never treats %j as a wrong server", async (view) => {
    expect((await seen(view)).state).toBe("unknown");
    // Other problems are reported as well.
    expect((await seen(view, { all: { a: ["104.21.5.9"] } })).state).toBe("blocked");
  });

  test("is skipped without a proxy: the addresses are returned for a later check", async () => {
    requests.length = 0;
    const report = await seen({ kind: "timeout" }, {});
    expect(report).toMatchObject({ state: "verified", addresses: [...OURS.a, ...OURS.aaaa] });
    expect((await seen({ kind: "timeout" }, { all: {} })).addresses).toBeUndefined();
    expect(requests).toEqual([]);
  });
});

test("a name that has not been added is checked with a random target", async () => {
  const requests: CheckRequest[] = [];
  const bytes = (into: Uint8Array) => into.fill(7);
  const explore = createExplorer({ ...over({ all: {} }, requests), random: bytes });
  const rules = { suffixes: publicSuffixes, ownDomains: [], allowPrivate: false };
  const parsed = parseHostname("pets.shelter.org", rules);
  if (!parsed.ok) throw new Error(parsed.failure.message);
  const { changes, records } = await explore(parsed.value, signal);
  expect(requests).toMatchObject([{ target: `${"07".repeat(16)}.${zone.join(".")}` }]);
  expect(changes.map(({ code }) => code)).toEqual(["no_record"]);
  expect(JSON.stringify([changes, records])).not.toContain("0707");
});

test("details from another version are not shown", () => {
  expect(readReport(undefined)).toBeUndefined();
  for (const kept of ["null", "7", "[]", "{}", '{"apex":true,"findings":{},"records":[]}']) {
    expect(readReport(kept)).toBeUndefined();
  }
});

test("details from an older version have findings without data", () => {
  const kept = { apex: true, findings: [{ code: "no_record" }], records: [] };
  expect(readReport(JSON.stringify(kept))?.findings).toMatchObject([
    { code: "no_record", data: null },
  ]);
});

test("details contain the DNS provider, unless this version does not know it", async () => {
  const nameServers = ["dns1.registrar-servers.com", "dns2.registrar-servers.com"];
  const { details } = await look({ nameServers });
  expect(readReport(JSON.stringify(details))?.provider).toBe("namecheap");
  const later = JSON.stringify({ ...(details as object), provider: "cloud-nine" });
  expect(readReport(later)).not.toHaveProperty("provider");
});
