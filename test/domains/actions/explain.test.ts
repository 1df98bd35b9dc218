import { describe, expect, test } from "bun:test";
import { explain, type Explanation } from "../../../domains/actions/explain.ts";
import type { ParsedHostname } from "../../../domains/model/hostname.ts";
import { factsOf, found, OURS, surveyOf, type Situation } from "../../helpers/survey.ts";
import { caaFound } from "../../helpers/situations.ts";

function explained(situation: Situation): Explanation {
  const survey = surveyOf(situation);
  const { registrable, edgeAddresses, issuers } = factsOf(situation);
  const parsed: ParsedHostname = {
    hostname: survey.hostname,
    unicode: survey.hostname,
    registrable,
    label:
      survey.hostname === registrable ? "@" : survey.hostname.slice(0, -registrable.length - 1),
  };
  return explain(parsed, survey, { edgeAddresses, issuers });
}

const codes = (findings: Explanation["obstacles"]): readonly string[] =>
  findings.map(({ code }) => code);

describe("a name that has not been added", () => {
  test("without problems gets its record, without a value", () => {
    const { headline, obstacles, changes, records } = explained({ all: {} });
    expect(headline).toBe("pets.shelter.org will work with the records below.");
    expect(obstacles).toEqual([]);
    expect(codes(changes)).toEqual(["no_record"]);
    expect(records).toMatchObject([
      { type: "CNAME", name: "pets", value: "(shown when the domain is added)", state: "missing" },
    ]);
  });

  test("that points elsewhere needs more than a record", () => {
    const { headline, obstacles } = explained({ all: { a: ["203.0.113.9"] } });
    expect(obstacles).toEqual([]);
    expect(headline).toBe(
      "pets.shelter.org will work once its records are changed as described below.",
    );
  });

  test("with silent servers is not declared fine", () => {
    const { headline, obstacles } = explained({ zone: "unknown", all: { silent: "timeout" } });
    expect(headline).toContain("could not be queried");
    expect(obstacles.filter(({ severity }) => severity === "blocking")).toEqual([]);
  });

  test("gets both conflicting records and remaining obstacles", () => {
    const { headline, obstacles, changes } = explained({
      all: { a: ["203.0.113.9"], aaaa: ["2001:db8:9::1"] },
      servers: { ns2: { silent: "timeout" } },
      change: (survey) => ({ ...survey, caa: caaFound("digicert.com") }),
    });
    expect(codes(changes)).toEqual(["conflicting_a", "conflicting_aaaa"]);
    expect(codes(obstacles)).toEqual(["caa_forbids", "dns_unreachable"]);
    expect(headline).toContain("CAA records forbid the certificate");
  });

  test("never shows the target used for comparison", () => {
    const { changes, records } = explained({ all: { cname: ["elsewhere.example"] } });
    const texts = changes.flatMap(({ observed, expected, fix }) => [observed, expected, fix]);
    expect([...texts, ...records.map(({ value }) => value)].join()).not.toContain("k3vq7");
  });

  test("that points here already requires a proof of ownership", () => {
    const { records, changes } = explained({ hostname: "shelter.org", all: { a: OURS.a } });
    expect(records.map(({ purpose }) => purpose)).toEqual(["routing", "ownership"]);
    expect(codes(changes)).toEqual(["ownership_missing"]);
  });

  test("gets its DNS provider", () => {
    const nameServers = ["dns1.registrar-servers.com", "dns2.registrar-servers.com"];
    expect(explained({ nameServers, all: {} })).toMatchObject({
      zone: "shelter.org",
      nameServers,
      provider: { id: "namecheap", name: "Namecheap" },
    });
  });

  test("whose domain is unregistered gets that as its first problem", () => {
    const { headline, obstacles } = explained({ zone: "absent", all: {} });
    expect(codes(obstacles)).toEqual(["not_delegated"]);
    expect(headline).toContain("not registered");
  });

  test("with mail gets a warning about CNAME records", () => {
    const { obstacles } = explained({
      hostname: "shelter.org",
      all: {},
      change: (survey) => ({
        ...survey,
        apexHasMail: true,
        wildcard: { ...survey.wildcard, a: found([]) },
      }),
    });
    expect(codes(obstacles)).toEqual(["apex_cname_breaks_mail"]);
  });
});
