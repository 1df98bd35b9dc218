import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { createSharedAnswers } from "../../../domains/dns/shared-answers.ts";
import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import { takeSurvey } from "../../../domains/dns/survey.ts";
import { createVantages } from "../../../domains/dns/vantages.ts";
import type { Hostname } from "../../../domains/model/hostname.ts";
import type { Survey } from "../../../domains/model/survey.ts";
import { verify } from "../../../domains/model/verification.ts";
import { systemClock as clock } from "../../../lib/base/clock.ts";
import { systemRandom as random } from "../../../lib/base/id.ts";
import { internetMissing, startInternet, type Internet } from "../../helpers/internet.ts";

const CNAME_TARGET = "cname.petstore.example";
const RIGHT = `CNAME abc.${CNAME_TARGET}.`;

describe.skipIf(internetMissing !== undefined)(
  `Checks that share answers (${internetMissing ?? "with Knot"})`,
  () => {
    let internet: Internet;
    let survey: (name: string, dueSince: number) => Promise<Survey>;

    beforeAll(async () => {
      internet = await startInternet({
        "petstore.example": { lines: ["*.cname A 198.51.100.7"] },
        "shelter.org": { signed: true, lines: [`pets ${RIGHT}`, "later A 203.0.113.9"] },
        "strict.org": { lines: ["@ CAA 0 issue other.test", `pets ${RIGHT}`, `dogs ${RIGHT}`] },
        "growing.org": { lines: [`pets ${RIGHT}`, `www.dogs ${RIGHT}`] },
      });
      const servers = [{ address: internet.resolver, port: 53 }] as const;
      const vantages = createVantages({ servers, clock, random, allowPrivateNetworks: true });
      const options = {
        vantages,
        clock,
        suffixes: () => publicSuffixes,
        cnameTarget: CNAME_TARGET,
      };
      const vantagesOf = createSharedAnswers(options);
      survey = (name, dueSince) => {
        const hostname = name as Hostname;
        return takeSurvey(
          { hostname, target: `abc.${CNAME_TARGET}`, ownershipName: `_petstore.${name}` },
          { ...vantagesOf({ hostname, dueSince }), clock, random },
        );
      };
    });
    afterAll(async () => internet?.[Symbol.asyncDispose]());

    const stateOf = (seen: Survey): string =>
      verify(seen, {
        registrable: seen.hostname.split(".").slice(-2).join("."),
        edgeAddresses: [],
        ownership: { value: "token", reasons: [] },
        issuers: [{ id: "ca", caa: { identities: ["ca.test"], methods: ["http-01"] } }],
      }).state;

    test("see a corrected record at once, even if they have been due for longer", async () => {
      const dueSince = clock.now();
      expect(stateOf(await survey("pets.shelter.org", dueSince))).toBe("verified");
      expect(stateOf(await survey("later.shelter.org", dueSince))).toBe("blocked");
      await internet.change("shelter.org", "unset later A", `set later 5 ${RIGHT}`);
      // Unbound repeats an answer until the second ends; the servers of the zone decide.
      const seen = await survey("later.shelter.org", dueSince);
      expect(seen.authoritative.map(({ cname }) => cname.kind)).toEqual(["found", "found"]);
    });

    test("see the corrected CAA records of the zone if they were requested after the correction", async () => {
      const dueSince = clock.now();
      const first = await survey("pets.strict.org", dueSince);
      expect(first.caa).toMatchObject({ at: "strict.org", records: [{ value: "other.test" }] });
      await internet.change("strict.org", "unset @ CAA", "set @ 5 CAA 0 issue ca.test");
      const waiting = await survey("dogs.strict.org", dueSince);
      expect(waiting.caa).toMatchObject({ records: [{ value: "other.test" }] });
      const requested = await survey("dogs.strict.org", clock.now());
      expect(requested.caa).toMatchObject({ at: "strict.org", records: [{ value: "ca.test" }] });
    });

    test("see that the name or its parent was delegated meanwhile", async () => {
      const apexOf = ({ zone }: Survey) => (zone.kind === "found" ? zone.zone.apex : zone.kind);
      const dueSince = clock.now();
      expect(apexOf(await survey("pets.growing.org", dueSince))).toBe("growing.org");
      expect(apexOf(await survey("www.dogs.growing.org", dueSince))).toBe("growing.org");
      await internet.change("growing.org", "set dogs 5 NS ns1.shelter.org.");
      // Asked about itself, its former servers refer to those of the new zone.
      expect(apexOf(await survey("other.dogs.growing.org", dueSince))).toBe("dogs.growing.org");
      expect(apexOf(await survey("www.dogs.growing.org", clock.now()))).toBe("dogs.growing.org");
    });
  },
);
