import type { Clock } from "../lib/base/clock.ts";
import type { Random } from "../lib/base/id.ts";
import { publicSuffixes } from "./dns/public-suffixes.ts";
import { SURVEY_TIME_MS, takeSurvey } from "./dns/survey.ts";
import { createVantages } from "./dns/vantages.ts";
import type { DomainsOptions } from "./domains-options.ts";
import { issuersOf } from "./issuers.ts";
import type { ChallengeKind } from "./model/domain.ts";
import { isAtOrBelow } from "./model/hostname.ts";
import { ownershipName } from "./model/ownership.ts";
import { ownHostVerifier } from "./own-hosts.ts";
import type { LookFromOutside } from "./outside/look.ts";
import type { PipelineContext } from "./pipeline/context.ts";
import { createExplorer, createVerifier } from "./verifier.ts";

/** Who looks at the DNS of domains, of names that are nobody's yet, and of our own hosts. */
export function createVerifiers(
  options: DomainsOptions,
  {
    clock,
    random,
    kinds,
    outside,
  }: {
    readonly clock: Clock;
    readonly random: Random;
    readonly kinds: readonly ChallengeKind[];
    readonly outside: LookFromOutside;
  },
): {
  readonly verifier: PipelineContext["verifier"];
  readonly explore: ReturnType<typeof createExplorer>;
} {
  const {
    cnameTarget,
    ownDomains,
    ownHosts = [],
    domainStore,
    authorities,
    caaIdentities,
  } = options;
  const { allowPrivateNetworks = false, portOf, edgeAddresses = [] } = options;
  const vantages = createVantages({
    ...{ servers: options.resolvers, clock, random, allowPrivateNetworks },
    ...(portOf === undefined ? {} : { portOf }),
  });
  const issuers = issuersOf({
    authorities,
    store: domainStore,
    challenges: kinds,
    clock,
    ...(caaIdentities === undefined ? {} : { caaIdentities }),
  });
  const forDomains = {
    survey: (request: Parameters<typeof takeSurvey>[0] & { readonly signal: AbortSignal }) =>
      takeSurvey(request, { ...vantages, clock, random }),
    suffixes: publicSuffixes,
    cnameTarget,
    ownershipName,
    edgeAddresses,
    issuers,
  };
  const verifyDomain = createVerifier({ ...forDomains, outside });
  const verifyOwn = ownHostVerifier({ ...vantages, issuers, clock, budgetMs: SURVEY_TIME_MS });
  const own = [...ownDomains, ...ownHosts];
  const isOwn = (name: string): boolean => own.some((domain) => isAtOrBelow(name, domain));
  return {
    // A project cannot have such a name.
    verifier: (subject, signal) =>
      isOwn(subject.name) ? verifyOwn(subject, signal) : verifyDomain(subject, signal),
    explore: createExplorer({ ...forDomains, random }),
  };
}
