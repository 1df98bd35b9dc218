/**
 * Verifies the correct domains `pets0.shelter.org` and so on, sixteen at a time like the service:
 * `bun surveys.ts RESOLVER COUNT`. Prints the seconds it took; throws if one does not verify.
 */
import { createAuthoritativeServers } from "../../domains/dns/vantages.ts";
import { publicSuffixes } from "../../domains/dns/public-suffixes.ts";
import { createAsk } from "../../domains/dns/query.ts";
import { recursiveResolver } from "../../domains/dns/resolver.ts";
import { takeSurvey } from "../../domains/dns/survey.ts";
import { createVerifier } from "../../domains/verifier.ts";
import { systemClock as clock } from "../../lib/base/clock.ts";
import { systemRandom as random } from "../../lib/base/id.ts";

const AT_A_TIME = 16;

const [address = "", count] = process.argv.slice(2);
const ask = createAsk({ clock, random });
const resolvers = [recursiveResolver(ask, { address, port: 53 })] as const;
const suffixes = publicSuffixes;
const authorities = createAuthoritativeServers({
  ask,
  clock,
  resolvers,
  suffixes,
  allowPrivateNetworks: true,
});
const verifier = createVerifier({
  survey: (request) => takeSurvey(request, { resolvers, authorities, clock, random }),
  suffixes,
  cnameTarget: "cname.petstore.example",
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

const startedAt = performance.now();
await Promise.all(Array.from({ length: AT_A_TIME }, verifyRest));
console.log((performance.now() - startedAt) / 1_000);
