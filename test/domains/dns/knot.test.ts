import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { systemClock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { createAuthoritativeServers } from "../../../domains/dns/vantages.ts";
import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import { createAsk } from "../../../domains/dns/query.ts";
import { recursiveResolver } from "../../../domains/dns/resolver.ts";
import { takeSurvey } from "../../../domains/dns/survey.ts";
import { recordsOf, type Answer } from "../../../domains/model/answer.ts";
import { parseHostname } from "../../../domains/model/hostname.ts";
import type { Survey } from "../../../domains/model/survey.ts";
import { verify, type Verification } from "../../../domains/model/verification.ts";
import type { AuthoritativeServers, Resolver } from "../../../domains/ports/resolver.ts";
import { torture } from "../../helpers/chance.ts";
import { internetMissing, startInternet, type Internet } from "../../helpers/internet.ts";
import { kdig } from "../../helpers/knot.ts";

const TARGET = "abc.cname.petstore.example";
const TOKEN = "petstore-domain=4f1d";
const RIGHT = `CNAME ${TARGET}.`;
/** Exceeds a datagram of 1,232 octets. */
const LONG = Array.from({ length: 12 }, (_, at) => `many TXT "${String(at).repeat(200)}"`);

describe.skipIf(internetMissing !== undefined)(`Knot (${internetMissing ?? "is here"})`, () => {
  let internet: Internet;
  let resolver: Resolver;
  let authorities: AuthoritativeServers;

  beforeAll(async () => {
    internet = await startInternet({
      "petstore.example": {
        signed: true,
        lines: ["abc.cname A 198.51.100.7", "abc.cname AAAA 2001:db8::7"],
      },
      "shelter.org": {
        signed: true,
        lines: [
          `pets ${RIGHT}`,
          "wrong A 203.0.113.9",
          `both.sub ${RIGHT}`,
          "nothing.below.empty A 203.0.113.9",
          "mail MX 10 mx.shelter.org.",
          'caa CAA 0 issue "letsencrypt.org; validationmethods=http-01"',
          'caa CAA 128 tbs "unknown"',
          "old DNAME new.shelter.org.",
          `pets.new ${RIGHT}`,
          ...LONG,
        ],
      },
      "apex.org": {
        lines: ["@ A 198.51.100.7", "@ AAAA 2001:db8::7", `_petstore TXT "${TOKEN}"`],
      },
      "elsewhere.org": { signed: true, lines: ["@ A 198.51.100.7", "@ A 203.0.113.9"] },
      "wild.org": { signed: true, lines: [`* ${RIGHT}`] },
      "caa.org": {
        signed: true,
        lines: [
          "@ CAA 0 issue digicert.com",
          `a.pets ${RIGHT}`,
          "near A 203.0.113.9",
          "near CAA 0 issue letsencrypt.org",
        ],
      },
      "alias.org": { lines: ["b CNAME caa.org.", `a.b ${RIGHT}`, `x.y.b ${RIGHT}`] },
      "half.org": { lame: "second", signed: true, lines: [`pets ${RIGHT}`] },
      "left.org": { lame: "both", lines: [`pets ${RIGHT}`] },
      "dead.org": { dead: "refusing", lines: [] },
      "mute.org": { dead: "silent", lines: [] },
      "moved.org": {
        signed: true,
        lines: [`pets ${RIGHT}`],
        // The DS record that a former provider left at the registrar.
        ds: (right) => right.replace(/.{8}$/, "00000000"),
      },
      "forged.org": {
        signed: true,
        lines: ["pets A 192.0.2.1", `fine ${RIGHT}`],
        tamper: (lines) => lines.map((line) => line.replace("192.0.2.1", "192.0.2.66")),
      },
    });
    const ask = createAsk({ clock: systemClock, random: systemRandom });
    resolver = recursiveResolver(ask, { address: internet.resolver, port: 53 });
    authorities = createAuthoritativeServers({
      ask,
      clock: systemClock,
      resolvers: [resolver],
      suffixes: () => publicSuffixes,
      allowPrivateNetworks: true,
    });
  });
  afterAll(async () => internet?.[Symbol.asyncDispose]());

  const look = async (
    typed: string,
    owned = false,
    resolvers: readonly [Resolver, ...Resolver[]] = [resolver],
  ): Promise<{ readonly survey: Survey; readonly verification: Verification }> => {
    const rules = { suffixes: publicSuffixes, ownDomains: [], allowPrivate: false };
    const parsed = parseHostname(typed, rules);
    if (!parsed.ok) throw new Error(parsed.failure.message);
    const { hostname, registrable } = parsed.value;
    const survey = await takeSurvey(
      { hostname, target: TARGET, ownershipName: `_petstore.${hostname}` },
      { resolvers, authorities, clock: systemClock, random: systemRandom },
    );
    const verification = verify(survey, {
      registrable,
      edgeAddresses: [],
      ownership: { value: TOKEN, reasons: owned ? ["contested"] : [] },
      issuers: [
        { id: "letsencrypt", caa: { identities: ["letsencrypt.org"], methods: ["http-01"] } },
      ],
    });
    return { survey, verification };
  };

  const verdicts: readonly {
    readonly what: string;
    readonly name: string;
    readonly owned?: boolean;
    readonly state: Verification["state"];
    readonly codes: readonly string[];
  }[] = [
    {
      what: "the right record in a signed zone",
      name: "pets.shelter.org",
      state: "verified",
      codes: ["cname_found"],
    },
    {
      what: "the right record two labels below the zone apex",
      name: "both.sub.shelter.org",
      state: "verified",
      codes: ["cname_found"],
    },
    {
      what: "another host's address",
      name: "wrong.shelter.org",
      state: "blocked",
      codes: ["conflicting_a"],
    },
    {
      what: "no name, proven by NSEC",
      name: "gone.shelter.org",
      state: "blocked",
      codes: ["no_record"],
    },
    {
      what: "an empty non-terminal",
      name: "empty.shelter.org",
      state: "blocked",
      codes: ["no_record"],
    },
    {
      what: "a name that a DNAME redirects to this service",
      name: "pets.old.shelter.org",
      state: "verified",
      codes: ["cname_chain", "cname_found"],
    },
    {
      what: "an apex with the addresses of the target and the token",
      name: "apex.org",
      owned: true,
      state: "verified",
      codes: ["flattened", "ownership_found"],
    },
    {
      what: "an apex with an extra address",
      name: "elsewhere.org",
      state: "blocked",
      codes: ["extra_address"],
    },
    {
      what: "a signed wildcard that points here",
      name: "any.wild.org",
      state: "verified",
      codes: ["wildcard_match", "cname_found"],
    },
    {
      what: "CAA records at the zone apex for another CA",
      name: "a.pets.caa.org",
      state: "blocked",
      codes: ["caa_forbids", "cname_found"],
    },
    {
      what: "an unregistered domain",
      name: "pets.nobody.org",
      state: "blocked",
      codes: ["not_delegated"],
    },
    {
      what: "a second server that is lame",
      name: "pets.half.org",
      state: "verified",
      codes: ["lame_server", "cname_found"],
    },
    {
      what: "name servers that do not have the zone",
      name: "pets.left.org",
      state: "blocked",
      codes: ["delegation_broken"],
    },
    {
      what: "a DS record without its key",
      name: "pets.moved.org",
      state: "blocked",
      codes: ["dnssec_bogus", "caa_error", "cname_found"],
    },
    {
      what: "a record that was changed after signing",
      name: "pets.forged.org",
      state: "blocked",
      codes: ["dnssec_bogus", "conflicting_a"],
    },
    {
      what: "a valid record beside a changed one",
      name: "fine.forged.org",
      state: "verified",
      codes: ["cname_found"],
    },
  ];
  for (const { what, name, owned, state, codes } of verdicts) {
    test(`${what} is reported as ${codes.join(", ")}`, async () => {
      const { verification } = await look(name, owned);
      expect(verification.findings.map(({ code }) => code)).toEqual(
        codes as (typeof verification.findings)[number]["code"][],
      );
      expect(verification.state).toBe(state);
    });
  }

  if (torture) {
    // Each check waits for its deadline, 9 seconds.
    for (const name of ["pets.dead.org", "pets.mute.org"]) {
      test(`name servers of ${name} that are all dead give one verdict, however often they are asked`, async () => {
        for (let time = 0; time < 3; time++) {
          const { verification } = await look(name);
          expect(verification.findings.map(({ code }) => code)).toEqual(["delegation_broken"]);
        }
      });
    }
  }

  test("a zone is found by referrals, with both servers listed by parent and child", async () => {
    const { survey } = await look("both.sub.shelter.org");
    const zone = survey.zone.kind === "found" ? survey.zone.zone : undefined;
    const listedBy = ["parent", "child"] as const;
    const [ns1, ns2] = internet.serversOf("shelter.org");
    expect(zone).toEqual({
      apex: "shelter.org",
      nameServers: ["ns1.shelter.org", "ns2.shelter.org"],
      servers: [
        { name: "ns1.shelter.org", address: ns1, listedBy },
        { name: "ns2.shelter.org", address: ns2, listedBy },
      ],
      unasked: [],
      signed: true,
    });
    expect(survey.authoritative.map(({ signed }) => signed)).toEqual([true, true]);
  });

  test("a correction is visible to the next check", async () => {
    await internet.change("apex.org", "set later 5 A 203.0.113.9");
    expect((await look("later.apex.org")).verification.state).toBe("blocked");
    await internet.change("apex.org", "unset later A", `set later 5 ${RIGHT}`);
    expect((await look("later.apex.org")).verification.state).toBe("verified");
  });

  test("CAA records at the end of a parent's alias: the record to enter takes precedence over them", async () => {
    const { verification: below } = await look("x.y.b.alias.org");
    const [forbids] = below.findings;
    expect(forbids).toMatchObject({
      code: "caa_forbids",
      facts: { at: "caa.org", alias: "b.alias.org", wanted: { fqdn: "y.b.alias.org" } },
    });
    await internet.change("alias.org", "set y.b 5 CAA 0 issue letsencrypt.org");
    expect((await look("x.y.b.alias.org")).verification.state).toBe("verified");
    const { verification: beside } = await look("a.b.alias.org");
    expect(beside.findings[0]).toMatchObject({ facts: { remedy: "ask", at: "caa.org" } });
  });

  test("old addresses in a resolver's cache are reported beside the new CNAME, with their end", async () => {
    await internet.change("apex.org", "set old 600 A 203.0.113.9", "set old 60 AAAA 2001:db8:9::1");
    const remembering = await internet.remembering();
    const visited = await Promise.all(
      (["A", "AAAA"] as const).map((type) => kdig(remembering, "old.apex.org", type)),
    );
    expect(visited).toEqual([["203.0.113.9"], ["2001:db8:9::1"]]);
    await internet.change("apex.org", "unset old A", "unset old AAAA", `set old 600 ${RIGHT}`);
    const server = { address: remembering, port: 53 };
    const { survey, verification } = await look("old.apex.org", false, [
      resolver,
      recursiveResolver(createAsk({ clock: systemClock, random: systemRandom }), server),
    ]);
    expect(survey.resolvers[1]?.cname.kind).toBe("found");
    const [stale, ...rest] = verification.findings;
    expect(rest.map(({ code }) => code)).toEqual(["cname_found"]);
    const until = expect.any(Number);
    expect(stale).toMatchObject({
      code: "propagating",
      facts: { stale: [{ values: ["2001:db8:9::1", "203.0.113.9"], until }] },
    });
    const inSeconds = ((verification.eta ?? 0) - systemClock.now()) / 1_000;
    expect(inSeconds).toBeGreaterThan(300);
    expect(inSeconds).toBeLessThanOrEqual(600);
  });

  test("the nearest CAA records apply", async () => {
    const { survey, verification } = await look("near.caa.org");
    expect(survey.caa).toMatchObject({ kind: "found", at: "near.caa.org" });
    expect(verification.findings.map(({ code }) => code)).toEqual(["conflicting_a"]);
  });

  const questions: readonly Question[] = [
    { name: "wrong.shelter.org", type: "A", write: (text) => text },
    { name: "gone.shelter.org", type: "A", write: (text) => text },
    { name: "apex.org", type: "AAAA", write: (text) => text },
    { name: "pets.shelter.org", type: "CNAME", write: absolute },
    { name: "shelter.org", type: "NS", write: absolute },
    { name: "_petstore.apex.org", type: "TXT", write: quoted },
  ];
  for (const { name, type, write } of questions) {
    test(`${type} of ${name} matches kdig, from the resolver and from both servers`, async () => {
      const within = { deadlineAt: systemClock.now() + 9_000 };
      const written = (answer: Answer<string>) => recordsOf(answer).map(write).toSorted();
      const read = async (from: string) => (await kdig(from, name, type)).toSorted();
      expect(written(await resolver.lookup(name, type, within))).toEqual(
        await read(internet.resolver),
      );
      for (const address of internet.serversOf(name.split(".").slice(-2).join("."))) {
        const server = { name: "", address, listedBy: [] };
        const { answer } = await authorities.ask(server, name, type, within);
        expect(written(answer)).toEqual(await read(address));
      }
    });
  }

  test("CAA and MX records match kdig", async () => {
    const within = { deadlineAt: systemClock.now() + 9_000 };
    const caa = recordsOf(await resolver.lookup("caa.shelter.org", "CAA", within));
    const written = caa.map(({ flags, tag, value }) => `${flags} ${tag} "${value}"`);
    const read = await kdig(internet.resolver, "caa.shelter.org", "CAA");
    expect(written.toSorted()).toEqual(read.map((line) => line.trim()).toSorted());
    const mx = recordsOf(await resolver.lookup("mail.shelter.org", "MX", within));
    expect(mx.map(({ preference, exchange }) => `${preference} ${exchange}.`)).toEqual(
      await kdig(internet.resolver, "mail.shelter.org", "MX"),
    );
  });

  test("the CA's resolver sees a change at once, whatever ours has cached", async () => {
    expect(await kdig(internet.resolver, "late.apex.org", "A")).toEqual([]);
    await internet.change("apex.org", "set late 5 A 198.51.100.8");
    expect(await kdig(internet.caResolver, "late.apex.org", "A")).toEqual(["198.51.100.8"]);
  });

  test("answers that exceed a datagram are read over TCP, from the resolver and from a server", async () => {
    const within = { deadlineAt: systemClock.now() + 9_000 };
    const [address] = internet.serversOf("shelter.org");
    const server = { name: "", address, listedBy: [] };
    const { answer } = await authorities.ask(server, "many.shelter.org", "TXT", within);
    for (const given of [answer, await resolver.lookup("many.shelter.org", "TXT", within)]) {
      expect(recordsOf(given).map(quoted).toSorted()).toEqual(
        LONG.map((line) => line.slice(9)).toSorted(),
      );
    }
  });
});

interface Question {
  readonly name: string;
  readonly type: "A" | "AAAA" | "CNAME" | "NS" | "TXT";
  /** Formats a record as kdig does. */
  readonly write: (record: string) => string;
}

function absolute(name: string): string {
  return `${name}.`;
}

function quoted(text: string): string {
  return `"${text}"`;
}
