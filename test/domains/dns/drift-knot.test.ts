import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { DAY_MS, HOUR_MS, systemClock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { createAsk } from "../../../domains/dns/query.ts";
import { recursiveResolver } from "../../../domains/dns/resolver.ts";
import { takeSurvey } from "../../../domains/dns/survey.ts";
import { createAuthoritativeServers, type Vantages } from "../../../domains/dns/vantages.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { driftStage } from "../../../domains/model/drift-facts.ts";
import { nextLookAt } from "../../../domains/model/drift.ts";
import { createLook } from "../../../domains/outside/look.ts";
import { createVerifier } from "../../../domains/outside/verifier.ts";
import type { LookResult } from "../../../domains/ports/look.ts";
import { torture } from "../../helpers/chance.ts";
import { adding, saving, someDomain, START } from "../../helpers/domains/rows.ts";
import { openWorld } from "../../helpers/domains/world.ts";
import { internetMissing, startInternet, type Internet } from "../../helpers/internet.ts";
import { publicSuffixes } from "../../helpers/public-suffixes.ts";

const CNAME_TARGET = "cname.petstore.example";
const RIGHT = `CNAME abc.${CNAME_TARGET}.`;
const signal = new AbortController().signal;

describe.skipIf(internetMissing !== undefined)(
  `domains that move away at real name servers (${internetMissing ?? "is here"})`,
  () => {
    let internet: Internet;
    let vantages: Vantages;
    let asked = 0;

    beforeAll(async () => {
      internet = await startInternet({
        "petstore.example": { lines: ["abc.cname A 198.51.100.7", "other.cname A 198.51.100.7"] },
        "removed.org": { signed: true, lines: [`pets ${RIGHT}`] },
        "elsewhere.org": {
          signed: true,
          lines: [`pets ${RIGHT}`, `chain CNAME pets`, "www A 203.0.113.9"],
        },
        "apex.org": { lines: ["@ A 198.51.100.7"] },
        "gone.org": { signed: true, lines: [`pets ${RIGHT}`] },
        "half.org": { lame: "second", lines: [`pets ${RIGHT}`] },
        "left.org": { lame: "both", lines: [`pets ${RIGHT}`] },
        "dead.org": { dead: "refusing", lines: [] },
        "mute.org": { dead: "silent", lines: [] },
      });
      const send = createAsk({ clock: systemClock, random: systemRandom });
      const ask: typeof send = (...question) => {
        asked++;
        return send(...question);
      };
      const resolver = recursiveResolver(ask, { address: internet.resolver, port: 53 });
      const options = { ask, clock: systemClock, resolvers: [resolver] as const };
      const suffixes = () => publicSuffixes;
      vantages = {
        resolvers: [resolver],
        authorities: createAuthoritativeServers({
          ...options,
          suffixes,
          allowPrivateNetworks: true,
        }),
      };
    });
    afterAll(async () => internet?.[Symbol.asyncDispose]());

    const lookOf = (edgeAddresses: readonly string[] = []) =>
      createLook({
        ...vantages,
        suffixes: () => publicSuffixes,
        allowPrivateNetworks: true,
        edgeAddresses,
        cnameTarget: CNAME_TARGET,
        issuers: async () => [],
        isOwn: () => false,
        clock: systemClock,
      });
    const look = (name: string): Promise<LookResult> =>
      lookOf()({ name, targetLabel: "abc" }, signal);

    test("a look at the right record asks nine questions, and a survey five times as many", async () => {
      asked = 0;
      expect(await look("pets.removed.org")).toBe("here");
      expect(asked).toBeLessThanOrEqual(9);
      asked = 0;
      await takeSurvey(
        {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          hostname: "pets.removed.org" as Parameters<typeof takeSurvey>[0]["hostname"],
          target: `abc.${CNAME_TARGET}`,
          ownershipName: "_petstore.pets.removed.org",
        },
        { ...vantages, clock: systemClock, random: systemRandom },
      );
      expect(asked).toBeGreaterThan(45);
    });

    const sights: readonly (readonly [name: string, seen: LookResult])[] = [
      ["pets.removed.org", "here"],
      ["chain.elsewhere.org", "here"],
      ["apex.org", "here"],
      ["pets.half.org", "here"],
      ["www.elsewhere.org", "away"],
      ["never.removed.org", "away"],
      ["pets.nobody.org", "away"],
      ["pets.left.org", "unseen"],
      // The resolver and each of their servers are waited for.
      ...(torture
        ? ([
            ["pets.dead.org", "unseen"],
            ["pets.mute.org", "unseen"],
          ] as const)
        : []),
    ];
    for (const [name, seen] of sights) {
      test(`a look at ${name} sees it ${seen}`, async () => {
        expect(await look(name)).toBe(seen);
      });
    }

    test("a resolver that is dead makes no name away", async () => {
      const none = recursiveResolver(createAsk({ clock: systemClock, random: systemRandom }), {
        address: "127.0.0.1",
        port: 9,
      });
      const deaf = createLook({
        authorities: createAuthoritativeServers({
          ask: createAsk({ clock: systemClock, random: systemRandom }),
          clock: systemClock,
          resolvers: [none],
          suffixes: () => publicSuffixes,
          allowPrivateNetworks: true,
        }),
        resolvers: [none],
        suffixes: () => publicSuffixes,
        allowPrivateNetworks: true,
        edgeAddresses: [],
        cnameTarget: CNAME_TARGET,
        issuers: async () => [],
        isOwn: () => false,
        clock: systemClock,
      });
      const subject = { name: "pets.removed.org", targetLabel: "abc" };
      expect(await deaf(subject, signal)).toBe("unseen");
    });

    /** Looks four times, an hour apart, at a live name, as the service does. */
    const looking = async (
      name: string,
      change: () => Promise<void>,
    ): Promise<{ readonly domain: Domain; readonly status: string; readonly report: string }> => {
      const world = await openWorld();
      const { domains, clock } = world;
      const facts = { name, unicode: name, targetLabel: "abc" };
      const added = someDomain(1, facts);
      const certificate = {
        id: "crt_1",
        authority: "test",
        notBefore: START,
        notAfter: START + 90 * DAY_MS,
        renewAt: START + 60 * DAY_MS,
        activeSince: START,
        renewal: { checkAt: START + 30 * DAY_MS },
      };
      const dns = { state: "verified", codes: [], checkedAt: START, passedAt: START } as const;
      const live = { heldSince: START, liveSince: START, certificate, dns };
      await domains.commit([adding(added), saving(added, live)], system);
      const pipeline = world.pipeline({
        look: lookOf(),
        verifier: createVerifier({
          survey: (request) =>
            takeSurvey(request, { ...vantages, clock: systemClock, random: systemRandom }),
          suffixes: () => publicSuffixes,
          cnameTarget: CNAME_TARGET,
          issuers: async () => [],
        }),
      });
      const once = async (): Promise<void> => {
        clock.set(nextLookAt(await world.domain(added.id)) ?? 0);
        for (let tasks = 0; tasks < 5; tasks++) await pipeline.advance(added.id, signal);
      };
      await once();
      await change();
      for (let times = 0; times < 4; times++) await once();
      const domain = await world.domain(added.id);
      const report = (await domains.reports.of(added.id)) ?? "";
      const status = statusOf(domain, clock.now());
      await world.close();
      expect(clock.now() - START).toBeGreaterThan(3 * HOUR_MS);
      return { domain, status, report };
    };

    const moves: readonly {
      readonly what: string;
      readonly name: string;
      readonly change: () => Promise<void>;
      readonly code: string;
    }[] = [
      {
        what: "whose CNAME record was removed",
        name: "pets.removed.org",
        change: () => internet.change("removed.org", "unset pets CNAME"),
        code: "no_record",
      },
      {
        what: "whose CNAME record leads to another host",
        name: "pets.elsewhere.org",
        change: () =>
          internet.change(
            "elsewhere.org",
            "unset pets CNAME",
            "set pets 5 CNAME www.elsewhere.org.",
          ),
        code: "cname_mismatch",
      },
      {
        what: "whose apex has another address",
        name: "apex.org",
        change: () => internet.change("apex.org", "unset @ A", "set @ 5 A 203.0.113.9"),
        code: "conflicting_a",
      },
      {
        what: "whose registration ended",
        name: "pets.gone.org",
        change: () => internet.unregister("gone.org"),
        code: "not_delegated",
      },
    ];
    for (const { what, name, change, code } of moves) {
      test(`a name ${what} drifts, and the finding says ${code}`, async () => {
        const { domain, status, report } = await looking(name, change);
        expect([driftStage(domain), status]).toEqual(["drifting", "attention"]);
        expect(domain.look?.foundAt).toBeGreaterThan(START);
        expect(domain.dns.codes[0]).toBe(code);
        expect(report).toContain(`"code":"${code}"`);
      });
    }

    for (const name of torture ? ["pets.left.org", "pets.dead.org"] : ["pets.left.org"]) {
      test(`${name}, whose servers do not serve it, never drifts`, async () => {
        const { domain, status } = await looking(name, async () => {});
        expect([domain.drift, status]).toEqual([undefined, "live"]);
      });
    }
  },
);
