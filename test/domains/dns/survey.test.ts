import { afterEach, describe, expect, test } from "bun:test";

import { systemClock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { publicSuffixes } from "../../../domains/dns/public-suffixes.ts";
import { takeSurvey } from "../../../domains/dns/survey.ts";
import { parseHostname } from "../../../domains/model/hostname.ts";
import type { Survey } from "../../../domains/model/survey.ts";
import { world, type World, type WorldPlan } from "../../helpers/dns/world.ts";

const open: World[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const target = "abc.cname.petstore.example";
const ours = {
  "petstore.example": { lines: ["abc.cname 60 A 192.0.2.10", "abc.cname AAAA 2001:db8::10"] },
};

async function survey(plan: WorldPlan, name = "pets.shelter.org"): Promise<Survey> {
  const one = await world({ ...plan, zones: { org: {}, ...ours, ...plan.zones } });
  open.push(one);
  const parsed = parseHostname(name, {
    suffixes: publicSuffixes,
    ownDomains: [],
    allowPrivate: true,
  });
  if (!parsed.ok) throw new Error(parsed.failure.message);
  const { hostname } = parsed.value;
  return takeSurvey(
    { hostname, target, ownershipName: `_petstore.${hostname}` },
    {
      resolvers: [one.resolver],
      authorities: one.authorities,
      clock: systemClock,
      random: systemRandom,
    },
  );
}

describe("a survey", () => {
  test("tells what every server and the resolver say of a name that is right", async () => {
    const seen = await survey({
      zones: {
        "shelter.org": {
          lines: [
            `pets 300 CNAME ${target}`,
            "_petstore.pets TXT petstore-verify=1234",
            "@ MX 10 mail.shelter.org",
            "@ CAA 0 issue letsencrypt.org",
          ],
        },
      },
    });
    expect(seen.zone).toMatchObject({
      kind: "found",
      zone: { apex: "shelter.org", signed: false },
    });
    expect(seen.apex).toBe(false);
    expect(seen.apexHasMail).toBe(true);
    expect(seen.authoritative).toHaveLength(2);
    for (const view of seen.authoritative) {
      expect(view.server.listedBy).toEqual(["parent", "child"]);
      expect(view.cname).toMatchObject({ kind: "found", records: [target], ttlSeconds: 300 });
      expect(view.a).toMatchObject({ kind: "absent", reason: "nodata" });
      expect(view.ownership).toMatchObject({ kind: "found", records: ["petstore-verify=1234"] });
      expect(view.serial).toBe(2);
    }
    expect(seen.resolvers[0]).toMatchObject({
      cname: { kind: "found", records: [target] },
      a: { kind: "found", records: ["192.0.2.10"], ttlSeconds: 60 },
      aaaa: { kind: "found", records: ["2001:db8::10"] },
      targetA: { kind: "found", records: ["192.0.2.10"] },
    });
    expect(seen.targetA).toMatchObject({ kind: "found", records: ["192.0.2.10"] });
    expect(seen.caa).toMatchObject({ kind: "found", at: "shelter.org" });
    expect(seen.doubled).toMatchObject({
      name: "pets.shelter.org.shelter.org",
      cname: { kind: "absent", reason: "nxdomain" },
    });
    expect(seen.wildcard.a).toMatchObject({ kind: "absent", reason: "nxdomain" });
    expect(seen.challenge.cname).toMatchObject({ kind: "absent" });
    expect(seen.negativeTtlSeconds).toBe(300);
    expect(seen.cutShort).toBe(false);
  });
});
