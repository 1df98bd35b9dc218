import { afterEach, describe, expect, test } from "bun:test";

import type { Clock } from "../../lib/base/clock.ts";
import { MAX_ALIASES } from "../../domains/model/answer.ts";
import type { Resolver } from "../../domains/ports/resolver.ts";
import type { Line } from "../helpers/dns/zone.ts";

/** A resolver over zones defined by a test. */
export interface ResolverUnderTest {
  readonly resolver: Resolver;
  readonly clock: Clock;
  close(): Promise<void>;
}

/** The conditions of a resolver. */
export interface ResolverPlan {
  /** Lines by zone. */
  readonly zones: Readonly<Record<string, readonly Line[]>>;
  /** The age of its cache in seconds. Default 0. */
  readonly ageSeconds?: number;
  /** The vantage's behavior. Default `answers`. `bogus`: invalid signatures. */
  readonly mood?: "answers" | "silent" | "fails" | "refuses" | "bogus";
}

/** Tests a resolver against the contract of its port. */
export function describeResolver(
  name: string,
  open: (plan: ResolverPlan) => Promise<ResolverUnderTest>,
): void {
  describe(`${name} as a resolver`, () => {
    const opened: ResolverUnderTest[] = [];
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((one) => one.close()));
    });
    const start = async (plan: ResolverPlan) => {
      const subject = await open(plan);
      opened.push(subject);
      const within = (ms = 9_000) => ({ deadlineAt: subject.clock.now() + ms });
      return { ...subject, within };
    };
    const shelter = (lines: readonly Line[]): ResolverPlan => ({ zones: { "shelter.org": lines } });

    test("finds the records of a name, with their lowest TTL", async () => {
      const { resolver, within } = await start(
        shelter(["@ 300 A 192.0.2.1", "@ 200 A 192.0.2.2", "@ A 192.0.2.1"]),
      );
      const answer = await resolver.lookup("shelter.org", "A", within());
      expect(answer).toMatchObject({ kind: "found", ttlSeconds: 200, aliases: [] });
    });

    test("parses every type", async () => {
      const { resolver, within } = await start(
        shelter([
          "@ A 192.0.2.1",
          "@ AAAA 2001:db8:0:0::1",
          "@ MX 10 Mail.Shelter.org",
          "@ TXT one two",
          "@ CAA 128 issue ca.test; accounturi=https://ca.test/1",
          "@ HTTPS 00010000",
          "www CNAME Shelter.ORG",
        ]),
      );
      const records = async (type: Parameters<Resolver["lookup"]>[1], name = "shelter.org") => {
        const answer = await resolver.lookup(name, type, within());
        return answer.kind === "found" ? answer.records : answer;
      };
      expect(await records("A")).toEqual(["192.0.2.1"]);
      expect(await records("AAAA")).toEqual(["2001:db8::1"]);
      expect(await records("MX")).toEqual([{ preference: 10, exchange: "mail.shelter.org" }]);
      expect(await records("TXT")).toEqual(["onetwo"]);
      expect(await records("CAA")).toEqual([
        { flags: 128, tag: "issue", value: "ca.test; accounturi=https://ca.test/1" },
      ]);
      expect(await records("HTTPS")).toEqual(["00010000"]);
      expect(await records("CNAME", "www.shelter.org")).toEqual(["shelter.org"]);
      expect(await records("NS")).not.toHaveLength(0);
      expect(await records("SOA")).toMatchObject([{ negativeTtlSeconds: 300 }]);
    });

    test("follows aliases across zones and returns them in order", async () => {
      const { resolver, within } = await start({
        zones: {
          "shelter.org": ["pets 60 CNAME www.shelter.org", "www CNAME shop.host.net"],
          "host.net": ["shop 900 A 192.0.2.9"],
        },
      });
      expect(await resolver.lookup("pets.shelter.org", "A", within())).toMatchObject({
        kind: "found",
        records: ["192.0.2.9"],
        ttlSeconds: 60,
        aliases: [
          { name: "pets.shelter.org", target: "www.shelter.org", ttlSeconds: 60 },
          { name: "www.shelter.org", target: "shop.host.net", ttlSeconds: 3_600 },
        ],
      });
    });

    test("follows the alias synthesized from a DNAME", async () => {
      const { resolver, within } = await start(
        shelter(["old DNAME new.shelter.org", "a.new A 192.0.2.3"]),
      );
      const answer = await resolver.lookup("a.old.shelter.org", "A", within());
      expect(answer).toMatchObject({ kind: "found", records: ["192.0.2.3"] });
      expect(answer.aliases.at(-1)?.target).toBe("a.new.shelter.org");
    });

    test("follows no alias when asked for CNAME", async () => {
      const { resolver, within } = await start(
        shelter(["a CNAME b.shelter.org", "b CNAME c.shelter.org", "c A 192.0.2.1"]),
      );
      const answer = await resolver.lookup("a.shelter.org", "CNAME", within());
      expect(answer).toMatchObject({ kind: "found", records: ["b.shelter.org"], aliases: [] });
    });

    test("distinguishes a name without such records from a nonexistent name", async () => {
      const { resolver, within } = await start(shelter(["a.b A 192.0.2.1"]));
      const reason = async (name: string) => {
        const answer = await resolver.lookup(name, "AAAA", within());
        return answer.kind === "absent" ? [answer.reason, answer.ttlSeconds] : answer;
      };
      expect(await reason("a.b.shelter.org")).toEqual(["nodata", 300]);
      expect(await reason("b.shelter.org")).toEqual(["nodata", 300]);
      expect(await reason("c.shelter.org")).toEqual(["nxdomain", 300]);
    });

    test("returns the alias and the absence of an alias to a nonexistent name", async () => {
      const { resolver, within } = await start(shelter(["pets CNAME gone.shelter.org"]));
      expect(await resolver.lookup("pets.shelter.org", "A", within())).toMatchObject({
        kind: "absent",
        reason: "nxdomain",
        aliases: [{ target: "gone.shelter.org" }],
      });
    });

    test("returns the remaining TTL", async () => {
      const { resolver, within } = await start({
        ...shelter(["@ 300 A 192.0.2.1"]),
        ageSeconds: 100,
      });
      const answer = await resolver.lookup("shelter.org", "A", within());
      expect(answer).toMatchObject({ ttlSeconds: 200 });
    });

    test("ignores case", async () => {
      const { resolver, within } = await start(shelter(["PETS A 192.0.2.1"]));
      const answer = await resolver.lookup("Pets.SHELTER.org", "A", within());
      expect(answer).toMatchObject({ kind: "found" });
    });

    test("detects loops", async () => {
      const { resolver, within } = await start(
        shelter(["a CNAME b.shelter.org", "b CNAME c.shelter.org", "c CNAME a.shelter.org"]),
      );
      const answer = await resolver.lookup("a.shelter.org", "A", within());
      // Some resolvers return SERVFAIL themselves.
      expect(answer.kind).toBe("unknown");
      if (answer.kind === "unknown") expect(["cname_loop", "servfail"]).toContain(answer.reason);
    });

    test("follows as many aliases as allowed, and no more", async () => {
      const chain = (length: number): readonly Line[] => [
        ...Array.from({ length }, (_, at) => `n${at} CNAME n${at + 1}.shelter.org`),
        `n${length} A 192.0.2.1`,
      ];
      const longest = await start(shelter(chain(MAX_ALIASES)));
      const found = await longest.resolver.lookup("n0.shelter.org", "A", longest.within());
      expect(found).toMatchObject({ kind: "found" });
      expect(found.aliases).toHaveLength(MAX_ALIASES);
      const longer = await start(shelter(chain(MAX_ALIASES + 1)));
      const answer = await longer.resolver.lookup("n0.shelter.org", "A", longer.within());
      expect(answer).toMatchObject({ kind: "unknown", reason: "cname_too_long" });
    });

    test("reports failure and refusal as unknown", async () => {
      const lines = ["@ A 192.0.2.1"];
      const fails = await start({ ...shelter(lines), mood: "fails" });
      expect(await fails.resolver.lookup("shelter.org", "A", fails.within())).toMatchObject({
        kind: "unknown",
        reason: "servfail",
        bogus: false,
      });
      const refuses = await start({ ...shelter(lines), mood: "refuses" });
      expect(await refuses.resolver.lookup("shelter.org", "A", refuses.within())).toMatchObject({
        kind: "unknown",
        reason: "refused",
      });
    });

    test("distinguishes invalid signatures from a failure", async () => {
      const { resolver, within } = await start({ ...shelter(["@ A 192.0.2.1"]), mood: "bogus" });
      expect(await resolver.lookup("shelter.org", "A", within())).toMatchObject({
        kind: "unknown",
        reason: "servfail",
        bogus: true,
      });
    });

    test("returns by its deadline if no server responds", async () => {
      const { resolver, clock } = await start({ ...shelter([]), mood: "silent" });
      const deadlineAt = clock.now() + 50;
      expect(await resolver.lookup("shelter.org", "A", { deadlineAt })).toMatchObject({
        kind: "unknown",
        reason: "timeout",
      });
      // Without the abort it would take nearly five seconds; the delay depends on the machine.
      expect(clock.now()).toBeLessThan(deadlineAt + 3_000);
    });

    test("rejects with the caller's reason when it aborts", async () => {
      const { resolver, within } = await start({ ...shelter([]), mood: "silent" });
      const reason = new Error("The page was left");
      const signal = AbortSignal.abort(reason);
      const late = resolver.lookup("shelter.org", "A", { ...within(), signal });
      await expect(late).rejects.toBe(reason);
    });

    test("does not reject for an invalid name", async () => {
      const { resolver, within } = await start(shelter([]));
      for (const name of ["", "a..b", "é.org", String.raw`a\046b.org`]) {
        expect(await resolver.lookup(name, "A", within())).toMatchObject({ kind: "unknown" });
      }
    });
  });
}
