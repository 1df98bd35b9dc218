import { describe, expect, test } from "bun:test";
import { verify } from "../../../domains/model/verification.ts";
import { factsOf, OURS, surveyOf, TARGET, TOKEN, type Situation } from "../../helpers/survey.ts";

const EDGE = ["198.51.100.7", "2001:db8::7"];

function table(situation: Situation): readonly string[] {
  const { records } = verify(surveyOf(situation), factsOf(situation));
  return records.map(
    ({ purpose, required, typeText, name, value, state }) =>
      `${purpose} ${required ? "required" : "or"} ${typeText} ${name} ${value} ${state}`,
  );
}

describe("the table of records", () => {
  test("requires one CNAME for a subdomain", () => {
    expect(table({ all: {} })).toEqual([`routing required CNAME pets ${TARGET} missing`]);
  });

  test("names a deep subdomain by all its labels", () => {
    const hostname = "dogs.pets.shelter.org";
    expect(table({ hostname, all: {} })).toEqual([
      `routing required CNAME dogs.pets ${TARGET} missing`,
    ]);
  });

  test("names records relative to a delegated zone", () => {
    const situation = { hostname: "www.pets.shelter.org", zone: "pets.shelter.org", all: {} };
    expect(table(situation)).toEqual([`routing required CNAME www ${TARGET} missing`]);
  });

  test("requires an ALIAS at the apex of a delegated zone", () => {
    const situation = { hostname: "pets.shelter.org", zone: "pets.shelter.org", all: {} };
    expect(table(situation)).toEqual([`routing required ALIAS (or ANAME) @ ${TARGET} missing`]);
  });

  test("assumes a registered domain to be an apex if the zone is unknown", () => {
    expect(table({ hostname: "shelter.org", zone: "unknown", all: {} })).toEqual([
      `routing required ALIAS (or ANAME) @ ${TARGET} missing`,
    ]);
  });

  test("offers our addresses beside the ALIAS for an apex", () => {
    const facts = { edgeAddresses: EDGE };
    expect(table({ hostname: "shelter.org", all: { a: [...OURS.a] }, facts })).toEqual([
      `routing required ALIAS (or ANAME) @ ${TARGET} found`,
      "routing or A @ 198.51.100.7 found",
      "routing or AAAA @ 2001:db8::7 missing",
    ]);
  });

  test("requires the addresses where ALIAS is not supported", () => {
    const situation = {
      hostname: "shelter.org",
      nameServers: ["ns1.digitalocean.com", "ns2.digitalocean.com"],
      all: {},
      facts: { edgeAddresses: EDGE },
    };
    expect(table(situation)).toEqual([
      `routing or ALIAS (or ANAME) @ ${TARGET} missing`,
      "routing required A @ 198.51.100.7 missing",
      "routing required AAAA @ 2001:db8::7 missing",
    ]);
  });

  test("uses the provider's name of the type", () => {
    const nameServers = ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"];
    expect(table({ hostname: "shelter.org", nameServers, all: {} })).toEqual([
      `routing required CNAME @ ${TARGET} missing`,
    ]);
  });

  test("contains the ownership record if required", () => {
    const facts = { ownership: { value: TOKEN, reasons: ["contested"] as const } };
    expect(table({ hostname: "shelter.org", all: { a: OURS.a }, facts })).toEqual([
      `routing required ALIAS (or ANAME) @ ${TARGET} found`,
      `ownership required TXT _petstore ${TOKEN} missing`,
    ]);
  });

  test("shows an existing ownership record that is not required", () => {
    expect(table({ all: { cname: [TARGET], txt: [TOKEN] } })).toEqual([
      `routing required CNAME pets ${TARGET} found`,
      `ownership or TXT _petstore.pets ${TOKEN} found`,
    ]);
  });

  test("has the states wrong, propagating and unknown", () => {
    const states = [
      { all: { a: ["203.0.113.9"] } },
      { servers: { ns2: { cname: [] } } },
      { all: { silent: "timeout" as const } },
    ].map((situation) => verify(surveyOf(situation), factsOf()).records[0]?.state);
    expect(states).toEqual(["wrong", "propagating", "unknown"]);
  });

  test("shows each server's values and their TTLs", () => {
    const survey = surveyOf({ resolvers: { public: { cname: [], a: ["203.0.113.9"], ttl: 60 } } });
    expect(verify(survey, factsOf()).records[0]?.found).toEqual([
      { server: "ns1.dns.test", type: "CNAME", value: TARGET, ttlSeconds: 3_600 },
      { server: "ns2.dns.test", type: "CNAME", value: TARGET, ttlSeconds: 3_600 },
      { server: "home", type: "CNAME", value: TARGET, ttlSeconds: 3_600 },
      { server: "public", type: "A", value: "203.0.113.9", ttlSeconds: 60 },
    ]);
  });

  test("recommends a TTL of an hour", () => {
    expect(verify(surveyOf(), factsOf()).records.map(({ ttl }) => ttl)).toEqual([3_600]);
  });
});
