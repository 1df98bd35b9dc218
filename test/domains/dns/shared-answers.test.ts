import { describe, expect, test } from "bun:test";

import { createSharedAnswers, type AskingCheck } from "../../../domains/dns/shared-answers.ts";
import type { Vantages } from "../../../domains/dns/vantages.ts";
import {
  unknown,
  type Answer,
  type DataOf,
  type RecordType,
} from "../../../domains/model/answer.ts";
import type { NameServer, ZoneSearch } from "../../../domains/model/survey.ts";
import type { Resolver } from "../../../domains/ports/resolver.ts";
import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import { manualClock } from "../../helpers/clock.ts";
import { absent, found } from "../../helpers/survey.ts";

const NOW = 1_000_000;
const CNAME_TARGET = "cname.petstore.example";

/** Answers by `<vantage> <name> <type>`; a vantage is a resolver or the address of a server. Others are absent. */
type Answers = Map<string, Answer<unknown>>;

/** Vantages whose answers a test changes, and the questions that reach them. */
function vantagesWith(names: readonly [string, ...string[]] = ["resolver"]) {
  const clock = manualClock(NOW);
  const answers: Answers = new Map();
  const zones = new Map<string, ZoneSearch>();
  let asked: string[] = [];
  const said = <Type extends RecordType>(
    vantage: string,
    name: string,
    type: Type,
  ): Answer<DataOf[Type]> => {
    const question = `${vantage} ${name} ${type}`;
    asked.push(question);
    return (answers.get(question) ?? absent) as Answer<DataOf[Type]>;
  };
  const [first, ...others] = names.map((vantage): Resolver => ({
    vantage,
    lookup: async (name, type) => said(vantage, name, type),
  }));
  if (first === undefined) throw new Error("no resolver");
  const vantages: Vantages = {
    resolvers: [first, ...others],
    authorities: {
      zoneOf: async (name) => {
        asked.push(`zone ${name}`);
        return zones.get(name) ?? { kind: "absent" };
      },
      ask: async ({ address }, name, type) => ({
        answer: said(address, name, type),
        signed: false,
        roundTripMs: 1,
      }),
    },
  };
  return {
    clock,
    answers,
    zones,
    vantages,
    /** Returns the questions since the last call. */
    questions: () => asked.splice(0),
    of: createSharedAnswers({
      vantages,
      clock,
      suffixes: () => publicSuffixes,
      cnameTarget: CNAME_TARGET,
    }),
    within: () => ({ deadlineAt: clock.now() + 9_000 }),
  };
}

function server(address: string): NameServer {
  return { name: `ns.${address}.test`, address, listedBy: ["parent", "child"] };
}

function zone(apex: string, addresses: readonly string[] = ["192.0.2.1"]): ZoneSearch {
  const servers = addresses.map(server);
  const nameServers = servers.map(({ name }) => name);
  return { kind: "found", zone: { apex, servers, unasked: [], nameServers, signed: false } };
}

const pets: AskingCheck = { hostname: "pets.shelter.org", dueSince: NOW };
const dogs: AskingCheck = { hostname: "dogs.shelter.org", dueSince: NOW };

describe("the zone of a name", () => {
  test("is known to the next name below the same parent, which is asked about itself", async () => {
    const { of, zones, questions, within } = vantagesWith();
    zones.set("pets.shelter.org", zone("shelter.org"));
    await of(pets).authorities.zoneOf("pets.shelter.org", within());
    expect(questions()).toEqual(["zone pets.shelter.org"]);
    const search = await of(dogs).authorities.zoneOf("dogs.shelter.org", within());
    expect(search).toEqual(zone("shelter.org"));
    expect(questions()).toEqual(["resolver dogs.shelter.org NS", "192.0.2.1 dogs.shelter.org NS"]);
  });

  test("is searched for again if the name was delegated meanwhile", async () => {
    for (const sign of ["a referral", "a zone at its server", "a zone at a resolver"] as const) {
      const { of, zones, answers, questions, within } = vantagesWith();
      zones.set("pets.shelter.org", zone("shelter.org"));
      await of(pets).authorities.zoneOf("pets.shelter.org", within());
      zones.set("dogs.shelter.org", zone("dogs.shelter.org", ["192.0.2.9"]));
      if (sign === "a referral") answers.set("192.0.2.1 dogs.shelter.org NS", unknown("lame"));
      if (sign === "a zone at its server") {
        answers.set("192.0.2.1 dogs.shelter.org NS", found(["ns.dogs.shelter.org"]));
      }
      if (sign === "a zone at a resolver") {
        answers.set("resolver dogs.shelter.org NS", found(["ns.dogs.shelter.org"]));
      }
      const search = await of(dogs).authorities.zoneOf("dogs.shelter.org", within());
      expect([sign, search]).toEqual([sign, zone("dogs.shelter.org", ["192.0.2.9"])]);
      expect(questions()).toContain("zone dogs.shelter.org");
    }
  });

  test("is searched for again if none of its servers answers any more", async () => {
    const { of, zones, answers, questions, within } = vantagesWith();
    zones.set("pets.shelter.org", zone("shelter.org"));
    await of(pets).authorities.zoneOf("pets.shelter.org", within());
    zones.set("dogs.shelter.org", zone("shelter.org", ["192.0.2.9"]));
    answers.set("192.0.2.1 dogs.shelter.org NS", unknown("timeout"));
    const search = await of(dogs).authorities.zoneOf("dogs.shelter.org", within());
    expect(search).toEqual(zone("shelter.org", ["192.0.2.9"]));
    expect(questions()).toContain("zone dogs.shelter.org");
  });

  test("with new servers is used after five seconds, and at once by a check that became due since", async () => {
    const { of, zones, clock, within } = vantagesWith();
    const searchBy = (check: AskingCheck) => of(check).authorities.zoneOf(check.hostname, within());
    zones.set("pets.shelter.org", zone("shelter.org", ["192.0.2.1"]));
    await searchBy(pets);
    for (const name of ["cats.shelter.org", "dogs.shelter.org", "fish.shelter.org"]) {
      zones.set(name, zone("shelter.org", ["192.0.2.9"]));
    }
    clock.advance(5_000);
    expect(await searchBy(dogs)).toEqual(zone("shelter.org", ["192.0.2.1"]));
    const requested = { hostname: "cats.shelter.org", dueSince: clock.now() };
    expect(await searchBy(requested)).toEqual(zone("shelter.org", ["192.0.2.9"]));

    const later = vantagesWith();
    later.zones.set("pets.shelter.org", zone("shelter.org", ["192.0.2.1"]));
    await later.of(pets).authorities.zoneOf("pets.shelter.org", within());
    later.clock.advance(5_001);
    later.zones.set("fish.shelter.org", zone("shelter.org", ["192.0.2.9"]));
    const fish = { hostname: "fish.shelter.org", dueSince: NOW };
    const search = await later.of(fish).authorities.zoneOf("fish.shelter.org", within());
    expect(search).toEqual(zone("shelter.org", ["192.0.2.9"]));
  });

  test("is not shared if it is a registry's, as the next name may be registered or not", async () => {
    const { of, zones, questions, within } = vantagesWith();
    zones.set("unregistered.org", zone("org"));
    for (const hostname of ["unregistered.org", "another.org"]) {
      const check = { hostname, dueSince: NOW };
      await of(check).authorities.zoneOf(hostname, within());
    }
    expect(questions()).toEqual(["zone unregistered.org", "zone another.org"]);
  });

  test("is not shared if the name is its apex, or if a lookup failed", async () => {
    const { of, zones, questions, within } = vantagesWith();
    const searchBy = (check: AskingCheck) => of(check).authorities.zoneOf(check.hostname, within());
    zones.set("pets.shelter.org", zone("pets.shelter.org"));
    await searchBy(pets);
    zones.set("dogs.shelter.org", { ...zone("shelter.org"), doubtful: true } as ZoneSearch);
    await searchBy(dogs);
    await searchBy({ hostname: "cats.shelter.org", dueSince: NOW });
    expect(questions()).toEqual([
      "zone pets.shelter.org",
      "zone dogs.shelter.org",
      "zone cats.shelter.org",
    ]);
  });

  test("above the name, or of a target, is shared as it is", async () => {
    const { of, zones, questions, within } = vantagesWith();
    zones.set("org", zone("org"));
    zones.set(`abc.${CNAME_TARGET}`, zone("petstore.example"));
    for (const name of ["org", `abc.${CNAME_TARGET}`]) {
      await of(pets).authorities.zoneOf(name, within());
    }
    questions();
    expect(await of(dogs).authorities.zoneOf("org", within())).toEqual(zone("org"));
    expect(await of(dogs).authorities.zoneOf(`def.${CNAME_TARGET}`, within())).toEqual(
      zone("petstore.example"),
    );
    expect(questions()).toEqual([]);
  });
});

describe("answers", () => {
  const CAA = [{ flags: 0, tag: "issue", value: "ca.test" }] as const;

  test("about the CAA records of a parent and our target are shared", async () => {
    const { of, answers, questions, within } = vantagesWith();
    answers.set("resolver shelter.org CAA", found(CAA));
    answers.set("192.0.2.1 shelter.org CAA", found(CAA));
    answers.set(`resolver abc.${CNAME_TARGET} A`, found(["198.51.100.7"]));
    answers.set(`192.0.2.1 abc.${CNAME_TARGET} A`, found(["198.51.100.7"]));
    const askAll = async (check: AskingCheck, label: string) => {
      const { resolvers, authorities } = of(check);
      const [asked, at] = [`${label}.${CNAME_TARGET}`, server("192.0.2.1")];
      return [
        await resolvers[0].lookup("shelter.org", "CAA", within()),
        await resolvers[0].lookup(asked, "A", within()),
        (await authorities.ask(at, "shelter.org", "CAA", within())).answer,
        (await authorities.ask(at, asked, "A", within())).answer,
      ];
    };
    const first = await askAll(pets, "abc");
    expect(questions()).toHaveLength(4);
    expect(await askAll(dogs, "def")).toEqual(first);
    expect(questions()).toEqual([]);
  });

  test("about the name itself, below it and beside it are not", async () => {
    const { of, answers, questions, within } = vantagesWith();
    const asked = [
      ["pets.shelter.org", "CAA"],
      ["pets.shelter.org", "A"],
      ["_petstore.pets.shelter.org", "TXT"],
      ["_acme-challenge.pets.shelter.org", "CNAME"],
      ["random.shelter.org", "A"],
      ["other.shelter.org", "CAA"],
      ["shelter.org", "MX"],
      ["shelter.org", "SOA"],
      [`deep.abc.${CNAME_TARGET}`, "A"],
    ] as const;
    for (const [name, type] of asked) {
      answers.set(`resolver ${name} ${type}`, found(["something"]));
      answers.set(`192.0.2.1 ${name} ${type}`, found(["something"]));
    }
    for (let check = 0; check < 2; check++) {
      const { resolvers, authorities } = of(pets);
      for (const [name, type] of asked) {
        await resolvers[0].lookup(name, type, within());
        await authorities.ask(server("192.0.2.1"), name, type, within());
      }
      expect(questions()).toHaveLength(2 * asked.length);
    }
  });

  test("of absence or failure, or with an alias, are not shared", async () => {
    const { of, answers, questions, within } = vantagesWith();
    const alias = { name: "shelter.org", target: "elsewhere.test", ttlSeconds: 60 };
    for (const answer of [absent, unknown("servfail"), { ...found(CAA), aliases: [alias] }]) {
      answers.set("resolver shelter.org CAA", answer);
      answers.set("192.0.2.1 shelter.org CAA", answer);
      for (const check of [pets, dogs]) {
        const { resolvers, authorities } = of(check);
        await resolvers[0].lookup("shelter.org", "CAA", within());
        await authorities.ask(server("192.0.2.1"), "shelter.org", "CAA", within());
      }
      expect(questions()).toHaveLength(4);
    }
  });

  test("of each resolver and each server are kept apart", async () => {
    const { of, answers, within } = vantagesWith(["one", "two"]);
    const others = [{ flags: 0, tag: "issue", value: "other.test" }] as const;
    answers.set("one shelter.org CAA", found(CAA));
    answers.set("two shelter.org CAA", found(others));
    answers.set("192.0.2.1 shelter.org CAA", found(others));
    for (const check of [pets, dogs]) {
      const { resolvers, authorities } = of(check);
      const [one, two] = await Promise.all(
        resolvers.map((resolver) => resolver.lookup("shelter.org", "CAA", within())),
      );
      const direct = await authorities.ask(server("192.0.2.1"), "shelter.org", "CAA", within());
      const none = await authorities.ask(server("192.0.2.2"), "shelter.org", "CAA", within());
      expect(one).toEqual(found(CAA));
      expect(two).toEqual(found(others));
      expect(direct.answer).toEqual(found(others));
      expect(none.answer).toEqual(absent);
    }
  });

  test("live five seconds, and resolvers' answers as much shorter", async () => {
    const { of, answers, clock, questions, within } = vantagesWith();
    answers.set("resolver shelter.org CAA", found(CAA, 60));
    const askBy = (check: AskingCheck) =>
      of(check).resolvers[0].lookup("shelter.org", "CAA", within());
    await askBy(pets);
    clock.advance(5_000);
    expect(await askBy(dogs)).toEqual(found(CAA, 55));
    clock.advance(1);
    expect(await askBy(dogs)).toEqual(found(CAA, 60));
    expect(questions()).toHaveLength(2);
  });

  test("from before a check became due, or from before the clock was set back, are not used", async () => {
    const { of, answers, clock, within } = vantagesWith();
    const corrected = [{ flags: 0, tag: "issue", value: "other.test" }] as const;
    const askBy = (check: AskingCheck) =>
      of(check).resolvers[0].lookup("shelter.org", "CAA", within());
    answers.set("resolver shelter.org CAA", found(CAA));
    await askBy(pets);
    answers.set("resolver shelter.org CAA", found(corrected));
    expect(await askBy(dogs)).toEqual(found(CAA));
    clock.advance(1);
    expect(await askBy({ ...dogs, dueSince: NOW + 1 })).toEqual(found(corrected));
    answers.set("resolver shelter.org CAA", found(CAA));
    clock.set(NOW - 1);
    expect(await askBy({ ...dogs, dueSince: NOW - 1 })).toEqual(found(CAA));
  });

  test("are bounded in number: the oldest ones are forgotten", async () => {
    const { vantages, answers, clock, questions, within } = vantagesWith();
    const options = { vantages, clock, suffixes: () => publicSuffixes, cnameTarget: CNAME_TARGET };
    const of = createSharedAnswers({ ...options, max: 2 });
    const askFor = async (parent: string) => {
      answers.set(`resolver ${parent} CAA`, found(CAA));
      const check = { hostname: `pets.${parent}`, dueSince: NOW };
      await of(check).resolvers[0].lookup(parent, "CAA", within());
    };
    for (const parent of ["one.org", "two.org", "three.org"]) await askFor(parent);
    questions();
    for (const parent of ["three.org", "two.org", "one.org"]) await askFor(parent);
    expect(questions()).toEqual(["resolver one.org CAA"]);
  });
});
