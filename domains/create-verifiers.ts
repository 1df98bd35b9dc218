import type { Clock } from "../lib/base/clock.ts";
import type { Random } from "../lib/base/id.ts";
import { createAuthorities } from "./dns/authoritative.ts";
import { publicSuffixes } from "./dns/public-suffixes.ts";
import { createAsk } from "./dns/query.ts";
import { recursiveResolver } from "./dns/resolver.ts";
import { DNS_PORT } from "./dns/server-address.ts";
import { SURVEY_TIME_MS, takeSurvey } from "./dns/survey.ts";
import type { DomainsOptions } from "./domains-options.ts";
import { issuersOf } from "./issuers.ts";
import type { ChallengeKind } from "./model/domain.ts";
import { isAtOrBelow } from "./model/hostname.ts";
import { ownershipName } from "./model/ownership-name.ts";
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
  const { allowPrivateNetworks = false, portOf = () => DNS_PORT, edgeAddresses = [] } = options;
  const ask = createAsk({ clock, random });
  const [first, ...others] = options.resolvers;
  const resolvers = [
    recursiveResolver(ask, first),
    ...others.map((server) => recursiveResolver(ask, server)),
  ] as const;
  const suffixes = publicSuffixes;
  const issuers = issuersOf({
    authorities,
    store: domainStore,
    challenges: kinds,
    clock,
    ...(caaIdentities === undefined ? {} : { caaIdentities }),
  });
  const guides = createAuthorities({
    ask,
    clock,
    portOf,
    resolvers,
    allowPrivateNetworks,
    suffixes,
  });
  const forDomains = {
    survey: (request: Parameters<typeof takeSurvey>[0] & { readonly signal: AbortSignal }) =>
      takeSurvey(request, { resolvers, authorities: guides, clock, random }),
    suffixes,
    cnameTarget,
    ownershipName,
    edgeAddresses,
    issuers,
  };
  const verifyDomain = createVerifier({ ...forDomains, outside });
  const verifyOwn = ownHostVerifier({ resolvers, issuers, clock, budgetMs: SURVEY_TIME_MS });
  const own = [...ownDomains, ...ownHosts];
  const isOwn = (name: string): boolean => own.some((domain) => isAtOrBelow(name, domain));
  return {
    // A project cannot have such a name.
    verifier: (subject, signal) =>
      isOwn(subject.name) ? verifyOwn(subject, signal) : verifyDomain(subject, signal),
    explore: createExplorer({ ...forDomains, random }),
  };
}
