import { describe, expect, test } from "bun:test";
import { explain, type Explanation } from "../../domains/explain.ts";
import type { ParsedHostname } from "../../domains/model/hostname.ts";
import { factsOf, found, OURS, surveyOf, type Situation } from "../helpers/survey.ts";

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

describe("a name that nobody has added", () => {
  test("and that nothing speaks against is told its record without a value that is not given yet", () => {
    const { headline, obstacles, changes, records } = explained({ all: {} });
    expect(headline).toBe("pets.shelter.org will work with the records below.");
    expect(obstacles).toEqual([]);
    expect(codes(changes)).toEqual(["no_record"]);
    expect(records).toMatchObject([
      { type: "CNAME", name: "pets", value: "(shown when the domain is added)", state: "missing" },
    ]);
  });

  test("and that leads elsewhere is not told that a record suffices", () => {
    const { headline, obstacles } = explained({ all: { a: ["203.0.113.9"] } });
    expect(obstacles).toEqual([]);
    expect(headline).toBe(
      "pets.shelter.org will work once its records are changed as described below.",
    );
  });

  test("and whose servers could not be asked is not told that all is well", () => {
    const { headline, obstacles } = explained({ zone: "unknown", all: { silent: "timeout" } });
    expect(headline).toContain("could not be queried");
    expect(obstacles.filter(({ severity }) => severity === "blocking")).toEqual([]);
  });

  test("is told what is in the way at the name, and what would fail besides", () => {
    const { headline, obstacles, changes } = explained({
      all: { a: ["203.0.113.9"], aaaa: ["2001:db8:9::1"] },
      servers: { ns2: { silent: "timeout" } },
      change: (survey) => ({
        ...survey,
        caa: {
          kind: "found",
          at: "shelter.org",
          owner: "shelter.org",
          records: [{ flags: 0, tag: "issue", value: "digicert.com" }],
        },
      }),
    });
    expect(codes(changes)).toEqual(["conflicting_a", "conflicting_aaaa"]);
    expect(codes(obstacles)).toEqual(["caa_forbids", "dns_unreachable"]);
    expect(headline).toContain("CAA records forbid the certificate");
  });

  test("never shows the target that it was only compared with", () => {
    const { changes, records } = explained({ all: { cname: ["elsewhere.example"] } });
    const texts = changes.flatMap(({ observed, expected, fix }) => [observed, expected, fix]);
    expect([...texts, ...records.map(({ value }) => value)].join()).not.toContain("k3vq7");
  });

  test("that leads here already is told that it will have to be proven", () => {
    const { records, changes } = explained({ hostname: "shelter.org", all: { a: OURS.a } });
    expect(records.map(({ purpose }) => purpose)).toEqual(["routing", "ownership"]);
    expect(codes(changes)).toEqual(["ownership_missing"]);
  });

  test("is told where its records are kept", () => {
    const nameServers = ["dns1.registrar-servers.com", "dns2.registrar-servers.com"];
    expect(explained({ nameServers, all: {} })).toMatchObject({
      zone: "shelter.org",
      nameServers,
      provider: { id: "namecheap", name: "Namecheap" },
    });
  });

  test("whose domain is not registered is told that first", () => {
    const { headline, obstacles } = explained({ zone: "absent", all: {} });
    expect(codes(obstacles)).toEqual(["not_delegated"]);
    expect(headline).toContain("not registered");
  });

  test("is warned of a CNAME record where there is mail", () => {
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
