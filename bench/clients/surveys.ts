/**
 * Verifies the correct domains `pets0.shelter.org` and so on, sixteen at a time like the service, all of them due from
 * the start: `bun surveys.ts RESOLVER COUNT`. Prints the processor seconds it took; throws if one does not verify.
 */
import { createSharedAnswers } from "../../domains/dns/shared-answers.ts";
import { loadPublicSuffixes as suffixes } from "../../domains/dns/public-suffixes.ts";
import { takeSurvey } from "../../domains/dns/survey.ts";
import { createVantages } from "../../domains/dns/vantages.ts";
import { createVerifier } from "../../domains/outside/verifier.ts";
import { systemClock as clock } from "../../lib/base/clock.ts";
import { systemRandom as random } from "../../lib/base/id.ts";

const AT_A_TIME = 16;

const [address = "", count] = process.argv.slice(2);
const cnameTarget = "cname.petstore.example";
const servers = [{ address, port: 53 }] as const;
const vantages = createVantages({ servers, clock, random, allowPrivateNetworks: true });
const vantagesOf = createSharedAnswers({ vantages, clock, suffixes, cnameTarget });
const dueSince = clock.now();
const verifier = createVerifier({
  survey: (request) => {
    const { hostname } = request;
    return takeSurvey(request, { ...vantagesOf({ hostname, dueSince }), clock, random });
  },
  suffixes,
  cnameTarget,
  issuers: async () => [{ id: "ca", caa: { identities: ["ca.test"], methods: ["http-01"] } }],
});
const { signal } = new AbortController();
let next = 0;

async function verifyRest(): Promise<void> {
  while (next < Number(count)) {
    const index = next++;
    const subject = {
      name: `pets${index}.shelter.org`,
      targetLabel: index.toString(16).padStart(32, "0"),
      ownershipToken: "token",
      attachedBefore: false,
      ledHere: false,
      contested: false,
    };
    const report = await verifier(subject, signal);
    if (report.state !== "verified") throw new Error(JSON.stringify(report));
  }
}

const before = process.cpuUsage();
await Promise.all(Array.from({ length: AT_A_TIME }, verifyRest));
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1e6);
