import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { createAsk } from "../../../domains/dns/query.ts";
import { recursiveResolver } from "../../../domains/dns/resolver.ts";
import { takeSurvey } from "../../../domains/dns/survey.ts";
import { createAuthoritativeServers } from "../../../domains/dns/vantages.ts";
import { parseHostname } from "../../../domains/model/hostname.ts";
import { verify } from "../../../domains/model/verification.ts";
import type { Resolver } from "../../../domains/ports/resolver.ts";
import { systemClock, DAY_MS } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { resolversAnswer } from "../../../server/checks/dns.ts";
import type { Subject } from "../../../server/checks/check.ts";
import { loadSettings } from "../../../settings/load.ts";
import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import { internetMissing, startInternet, type Internet } from "../../helpers/internet.ts";
import { nameServerAddress } from "../../helpers/knot.ts";

const TARGET = "abc.cname.petstore.example";
const RIGHT = `CNAME ${TARGET}.`;

const ALGORITHMS = ["ECDSAP384SHA384", "ED25519", "RSASHA256", "RSASHA512"] as const;

/** Changes the signatures of one type, which nobody can then verify. */
const breaking =
  (type: string) =>
  (lines: readonly string[]): readonly string[] =>
    lines.map((line) =>
      new RegExp(`\\bRRSIG ${type} `).test(line) ? line.replace(/.{12}$/, "AAAAAAAAAAA=") : line,
    );

describe.skipIf(internetMissing !== undefined)(`Knot (${internetMissing ?? "is here"})`, () => {
  let internet: Internet;
  const addresses = new Map<string, string>();

  beforeAll(async () => {
    internet = await startInternet({
      "petstore.example": { lines: ["@ A 198.51.100.7", "abc.cname A 198.51.100.7"] },
      "fine.org": {
        signed: true,
        lines: [`pets ${RIGHT}`, `*.wild ${RIGHT}`, '@ CAA 0 issue "ca.example"'],
      },
      "plain.org": { lines: [`pets ${RIGHT}`] },
      "moved.org": {
        signed: true,
        lines: [`pets ${RIGHT}`],
        ds: (right) => right.replace(/.{8}$/, "00000000"),
      },
      "cname.org": { signed: true, lines: [`pets ${RIGHT}`], tamper: breaking("CNAME") },
      "keys.org": { signed: true, lines: [`pets ${RIGHT}`], tamper: breaking("DNSKEY") },
      "caa.org": {
        signed: true,
        lines: [`a.pets ${RIGHT}`, '@ CAA 0 issue "ca.example"'],
        tamper: breaking("CAA"),
      },
      "forged.org": {
        signed: true,
        lines: ["pets CNAME elsewhere.example."],
        tamper: (lines) => lines.map((line) => line.replace("elsewhere.example.", `${TARGET}.`)),
      },
      ...Object.fromEntries(
        ALGORITHMS.flatMap((algorithm) => {
          const zone = { signed: true, algorithm, lines: [`pets ${RIGHT}`] };
          const broken = { ...zone, tamper: breaking("CNAME") };
          const name = algorithm.toLowerCase();
          return [
            [`${name}.org`, zone],
            [`${name}-broken.org`, broken],
          ];
        }),
      ),
      "bare.org": {
        signed: true,
        lines: [`pets ${RIGHT}`],
        tamper: (lines) => lines.filter((line) => !/\bRRSIG CNAME /.test(line)),
      },
    });
    const plain = await internet.another({ validates: false });
    addresses.set("validating", internet.resolver);
    addresses.set("not validating", plain);
    addresses.set(
      "forwarding to a validating one",
      await internet.another({ validates: false, forwardTo: internet.resolver }),
    );
    addresses.set(
      "forwarding to one that does not validate",
      await internet.another({ validates: false, forwardTo: plain }),
    );
    addresses.set("dead", await nameServerAddress());
  });
  afterAll(async () => internet?.[Symbol.asyncDispose]());

  const addressOf = (kind: string): string => addresses.get(kind) ?? kind;

  const look = async (typed: string, kinds: readonly string[], clock = systemClock) => {
    const rules = { suffixes: publicSuffixes, ownDomains: [], allowPrivate: false };
    const parsed = parseHostname(typed, rules);
    if (!parsed.ok) throw new Error(parsed.failure.message);
    const { hostname, registrable } = parsed.value;
    const ask = createAsk({ clock, random: systemRandom });
    const [first, ...others] = kinds.map((kind) =>
      recursiveResolver(ask, { address: addressOf(kind), port: 53 }),
    );
    if (first === undefined) throw new Error("no resolver");
    const resolvers: readonly [Resolver, ...Resolver[]] = [first, ...others];
    const guide = {
      ...{ ask, clock, resolvers, allowPrivateNetworks: true },
      suffixes: () => publicSuffixes,
    };
    const survey = await takeSurvey(
      { hostname, target: TARGET, ownershipName: `_petstore.${hostname}` },
      { resolvers, authorities: createAuthoritativeServers(guide), clock, random: systemRandom },
    );
    const { state, findings, headline } = verify(survey, {
      registrable,
      edgeAddresses: [],
      ownership: { value: "petstore-domain=1", reasons: [] },
      issuers: [{ id: "ca", caa: { identities: ["ca.example"], methods: ["http-01"] } }],
    });
    return { state, headline, codes: findings.map(({ code }) => code), survey };
  };

  const KINDS = [
    "validating",
    "not validating",
    "forwarding to a validating one",
    "forwarding to one that does not validate",
  ] as const;
  const BOGUS: readonly (readonly [string, string])[] = [
    ["a DS record without its key", "pets.moved.org"],
    ["a broken signature of the CNAME record", "pets.cname.org"],
    ["a broken signature of the keys", "pets.keys.org"],
    ["a broken signature of CAA records above", "a.pets.caa.org"],
    ["a record that was changed after signing", "pets.forged.org"],
    ["a record without its signature", "pets.bare.org"],
  ];

  for (const kind of KINDS) {
    describe(`with a resolver that is ${kind}`, () => {
      test.each(BOGUS)("%s is never verified", async (_what, name) => {
        const { state, codes } = await look(name, [kind]);
        expect({ state, bogus: codes.includes("dnssec_bogus") }).toEqual({
          state: "blocked",
          bogus: true,
        });
      });

      test("valid signatures are verified, and said to be unchecked where no resolver validates", async () => {
        for (const name of ["pets.fine.org", "any.wild.fine.org"]) {
          const { state, codes, headline } = await look(name, [kind]);
          // A forwarder that does not validate hides that the other one does.
          const unchecked = kind !== "validating";
          expect([name, state, codes.includes("dnssec_bogus")]).toEqual([name, "verified", false]);
          expect(codes.includes("dnssec_unchecked")).toBe(unchecked);
          expect(headline.includes("were not checked")).toBe(unchecked);
        }
      });

      test("an unsigned zone is verified without a word about signatures", async () => {
        const { state, codes } = await look("pets.plain.org", [kind]);
        expect({ state, codes }).toEqual({ state: "verified", codes: ["cname_found"] });
      });
    });
  }

  test.each(ALGORITHMS)(
    "signatures by %s are checked without a validating resolver",
    async (algorithm) => {
      const name = algorithm.toLowerCase();
      const fine = await look(`pets.${name}.org`, ["not validating"]);
      expect([fine.survey.signatures, fine.state]).toEqual(["valid", "verified"]);
      const broken = await look(`pets.${name}-broken.org`, ["not validating"]);
      expect([broken.survey.signatures, broken.state]).toEqual(["invalid", "blocked"]);
    },
  );

  test("an expired signature is never verified, also where no resolver validates", async () => {
    const later = { ...systemClock, now: () => systemClock.now() + 3 * DAY_MS };
    const { state, codes } = await look("pets.fine.org", ["not validating"], later);
    expect({ state, bogus: codes.includes("dnssec_bogus") }).toEqual({
      state: "blocked",
      bogus: true,
    });
  });

  test("a dead resolver verifies nothing", async () => {
    for (const name of ["pets.moved.org", "pets.fine.org"]) {
      const { state, codes } = await look(name, ["dead"]);
      expect([name, state, codes]).toEqual([name, "unknown", ["resolver_unreachable"]]);
    }
  });

  test("beside a validating resolver, one that does not validate changes nothing", async () => {
    for (const kinds of [
      ["validating", "not validating"],
      ["not validating", "validating"],
      ["dead", "validating"],
    ]) {
      for (const [, name] of BOGUS) {
        expect([name, (await look(name, kinds)).state]).toEqual([name, "blocked"]);
      }
      const { state, codes } = await look("pets.fine.org", kinds);
      expect({ state, codes }).toEqual({ state: "verified", codes: ["cname_found"] });
    }
  });

  test("doctor fails without a validating resolver, and names the others beside one", async () => {
    const examined = async (...kinds: readonly string[]) => {
      const flags = {
        "base-domain": "petstore.example",
        "listen-https": ":8443",
        "dns-servers": kinds.map((kind) => `${addressOf(kind)}:53`).join(","),
        "allow-private-networks": "true",
      };
      const { settings } = await loadSettings({ flags, environment: {} });
      // The only members that this check reads.
      const subject = { settings, runtime: { clock: systemClock, version: "0" } };
      const { status, code, fix } = await resolversAnswer(subject as unknown as Subject);
      return { status, code, fixed: fix?.includes("dns-servers") };
    };
    const fixed = true;
    expect(await examined("validating")).toMatchObject({ status: "ok", code: "resolvers_answer" });
    const unvalidating = { code: "resolvers_unvalidating", fixed } as const;
    expect(await examined("not validating")).toEqual({ status: "fail", ...unvalidating });
    expect(await examined("not validating", "validating")).toEqual({
      status: "warn",
      ...unvalidating,
    });
    expect(await examined("dead")).toMatchObject({ status: "fail", code: "resolvers_silent" });
  });
});
