import { describe, expect, test } from "bun:test";
import { unknown, type Answer, type UnknownReason } from "../../../domains/model/answer.ts";
import type { NameView, Survey } from "../../../domains/model/survey.ts";
import { verify, type Verification } from "../../../domains/model/verification.ts";
import { chance, torture, type Chance } from "../../helpers/chance.ts";
import { situations } from "../../helpers/situations.ts";
import { factsOf, NOW, OURS, surveyOf, TOKEN, type Situation } from "../../helpers/survey.ts";

const ROUNDS = torture ? 20_000 : 1_000;
/** Situations without problems, and without reports of any. */
const right: readonly Situation[] = situations.filter(
  ({ state, codes }) => state === "verified" && !codes.includes("dnssec_bogus"),
);

function verified(situation: Situation): Verification {
  return verify(surveyOf(situation), factsOf(situation));
}

describe("the judgement of", () => {
  for (const { name, state, codes, ...situation } of situations) {
    test(`${name}: ${state}`, () => {
      const verification = verified(situation);
      expect(verification.findings.map(({ code }) => code)).toEqual([...codes]);
      expect(verification.state).toBe(state);
    });
  }
});

describe("in every situation", () => {
  test("blocking findings have a fix, and the first is the next action", () => {
    for (const situation of situations) {
      const { state, findings, nextAction } = verified(situation);
      const blocking = findings.filter(({ severity }) => severity === "blocking");
      expect(blocking.filter(({ fix }) => fix === "")).toEqual([]);
      if (state === "blocked") expect(nextAction).toBe(blocking[0]?.fix ?? "");
    }
  });

  test("a name is verified only if nothing blocks and it points here", () => {
    for (const situation of situations) {
      const { state, findings, leadsHere } = verified(situation);
      if (state !== "verified") continue;
      expect(leadsHere).toBe(true);
      expect(findings.filter(({ severity }) => severity === "blocking")).toEqual([]);
    }
  });

  test("a verification is plain data", () => {
    for (const situation of situations) {
      const verification = verified(situation);
      expect(JSON.parse(JSON.stringify(verification))).toEqual(verification);
    }
  });

  test("a verification has limited size, whatever the zone contains", () => {
    const addresses = Array.from(
      { length: 4_000 },
      (_, index) => `203.${index >> 8}.113.${index & 255}`,
    );
    const texts = Array.from({ length: 2_000 }, (_, index) => `${index}`.padEnd(255, "x"));
    const situation: Situation = {
      hostname: "shelter.org",
      all: { a: addresses, txt: texts },
      servers: { ns2: { a: addresses.toReversed() } },
      facts: { ownership: { value: TOKEN, reasons: ["contested"] } },
      change: (survey) => ({
        ...survey,
        caa: {
          kind: "found",
          at: "shelter.org",
          owner: "shelter.org",
          records: [
            { flags: 0, tag: "issue", value: "x".repeat(60_000) },
            ...texts.map((value) => ({ flags: 0, tag: "issue", value })),
          ],
        },
      }),
    };
    expect(JSON.stringify(verified(situation)).length).toBeLessThan(60_000);
  });
});

describe("missing answers", () => {
  test("are never treated as wrong records", () => {
    const dice = chance();
    for (let round = 0; round < ROUNDS; round++) {
      const situation = right[round % right.length] ?? {};
      const survey = forgetful(surveyOf(situation), dice);
      const { state, findings } = verify(survey, factsOf(situation));
      const blocking = findings.filter(({ severity }) => severity === "blocking");
      expect(blocking.map(({ code }) => code)).toEqual([]);
      expect(["verified", "unknown", "propagating"]).toContain(state);
    }
  });

  test("for everything leave the state unknown", () => {
    const { state, findings, leadsHere } = verified({
      zone: "unknown",
      all: { silent: "timeout" },
    });
    expect(state).toBe("unknown");
    expect(leadsHere).toBe(false);
    expect(findings.filter(({ severity }) => severity !== "warning")).toEqual([]);
  });
});

describe("another agreeing name server", () => {
  test("never revokes a verification", () => {
    const dice = chance();
    for (let round = 0; round < ROUNDS; round++) {
      const situation = right[round % right.length] ?? {};
      const survey = forgetful(surveyOf(situation), dice);
      const facts = factsOf(situation);
      if (verify(survey, facts).state !== "verified") continue;
      const [agreeing] = surveyOf(situation).authoritative;
      if (agreeing === undefined) continue;
      const server = { ...agreeing.server, name: "ns9.dns.test" };
      const authoritative = [...survey.authoritative, { ...agreeing, server }];
      expect(verify({ ...survey, authoritative }, facts).state).toBe("verified");
    }
  });
});

describe("propagation", () => {
  test("ends when the last cached old answer expires", () => {
    const { eta } = verified({
      resolvers: {
        home: { cname: [], a: ["203.0.113.8"], ttl: 60 },
        public: { cname: [], a: ["203.0.113.9"], ttl: 600 },
      },
    });
    expect(eta).toBe(NOW + 600_000);
  });

  test("of a cached absence ends with the zone's negative TTL", () => {
    const { eta } = verified({ resolvers: { home: { cname: [] } } });
    expect(eta).toBe(NOW + 900_000);
  });

  test("is over when every resolver has the new answer", () => {
    expect(verified({}).eta).toBeUndefined();
  });
});

describe("a name points here", () => {
  test("as long as one resolver has it cached", () => {
    const { state, leadsHere } = verified({
      all: { a: ["203.0.113.9"] },
      resolvers: { home: { a: OURS.a } },
    });
    expect(state).toBe("blocked");
    expect(leadsHere).toBe(true);
  });

  test("if one name server says so, even if too few were reached to decide", () => {
    const { state, leadsHere } = verified({
      resolvers: { home: { silent: "servfail" }, public: { silent: "servfail" } },
    });
    expect(state).toBe("unknown");
    expect(leadsHere).toBe(true);
  });

  test("not if no server says so", () => {
    expect(verified({ all: { a: ["203.0.113.9"] } }).leadsHere).toBe(false);
  });
});

describe("name servers", () => {
  test("are not sufficient if fewer than half", () => {
    const lonely = surveyOf({
      resolvers: { home: { silent: "timeout" }, public: { silent: "timeout" } },
    });
    const [first] = lonely.authoritative;
    if (first === undefined) throw new Error("There are name servers");
    const silent = surveyOf({ all: { silent: "timeout" } }).authoritative.map((view, index) => ({
      ...view,
      server: { ...view.server, name: `ns${index + 5}.dns.test` },
    }));
    const survey = { ...lonely, authoritative: [first, ...silent] };
    expect(verify(survey, factsOf()).state).toBe("unknown");
  });

  test("count once, whatever the number of their addresses", () => {
    const survey = surveyOf({
      resolvers: { home: { silent: "timeout" }, public: { silent: "timeout" } },
    });
    const dead = surveyOf({ all: { silent: "unreachable" } }).authoritative;
    const authoritative = [...survey.authoritative, ...dead];
    expect(verify({ ...survey, authoritative }, factsOf()).state).toBe("verified");
  });

  test("that lag behind are named, and so are the others", () => {
    const { findings } = verified({
      servers: { ns1: { serial: 2 }, ns2: { cname: [], serial: 1 } },
    });
    const disagreement = findings.find(({ code }) => code === "ns_disagree");
    expect(disagreement?.facts).toMatchObject({
      behind: ["ns2.dns.test"],
      ahead: ["ns1.dns.test"],
    });
  });
});

describe("the ownership record", () => {
  test("is required when a proxy hides where the name points", () => {
    const { ownership } = verified({ all: { a: ["104.21.5.9"] } });
    expect(ownership).toEqual({ reasons: ["proxied"], state: "missing" });
  });

  test("must have exactly the value", () => {
    const facts = { ownership: { value: TOKEN, reasons: ["contested"] as const } };
    const { state } = verified({
      hostname: "shelter.org",
      all: { a: OURS.a, txt: [`${TOKEN} and more`] },
      facts,
    });
    expect(state).toBe("blocked");
  });

  test("is not required when the CNAME leads to the domain's own target", () => {
    const facts = { ownership: { value: TOKEN, reasons: ["contested"] as const } };
    expect(verified({ facts }).ownership.reasons).toEqual([]);
  });
});

/** The survey with random answers missing. */
function forgetful(survey: Survey, dice: Chance): Survey {
  const missing = (): UnknownReason =>
    dice.pick(["timeout", "unreachable", "servfail", "refused", "malformed", "lame"]);
  const forget = <Data>(answer: Answer<Data>): Answer<Data> =>
    dice.true(0.4) ? unknown(missing(), { aliases: answer.aliases }) : answer;
  const view = <View extends NameView>(from: View): View => ({
    ...from,
    cname: forget(from.cname),
    a: forget(from.a),
    aaaa: forget(from.aaaa),
    ownership: forget(from.ownership),
    mx: forget(from.mx),
  });
  const [first, ...rest] = survey.resolvers.map((resolver) => ({
    ...view(resolver),
    targetA: forget(resolver.targetA),
    targetAaaa: forget(resolver.targetAaaa),
  }));
  if (first === undefined) throw new Error("There is a resolver");
  return {
    ...survey,
    ...(dice.true(0.1) && { zone: { kind: "unknown", reason: missing() }, authoritative: [] }),
    ...(dice.true(0.9) && { authoritative: survey.authoritative.map(view) }),
    resolvers: [first, ...rest],
    targetA: forget(survey.targetA),
    targetAaaa: forget(survey.targetAaaa),
    doubled: { ...survey.doubled, cname: forget(survey.doubled.cname) },
    wildcard: { ...survey.wildcard, a: forget(survey.wildcard.a) },
    ...(dice.true(0.3) && {
      caa: { kind: "unknown", at: survey.hostname, reason: missing(), bogus: false },
    }),
  };
}
