import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import type { Random } from "../../lib/base/id.ts";
import { explain, type Explanation } from "../actions/explain.ts";
import { recordsOf } from "../model/answer.ts";
import { inOrder, type Finding } from "../model/finding.ts";
import { answersHere, outsideFinding, type OutsideView } from "../model/outside.ts";
import { type OwnershipFacts, ownershipName } from "../model/ownership.ts";
import {
  registrableOf,
  type Hostname,
  type ParsedHostname,
  type PublicSuffixes,
  isAtOrBelow,
} from "../model/hostname.ts";
import { forbiddenAmong } from "../model/issuer-choice.ts";
import type { Survey } from "../model/survey.ts";
import { newTargetLabel, targetName } from "../model/target.ts";
import { verify, type Issuer, type Verification } from "../model/verification.ts";
import type { AccountLock } from "../ports/account-lock.ts";
import { createAccountLock } from "./account-lock.ts";
import type { CheckFromOutside } from "./outside-check.ts";
import type { Look } from "../ports/look.ts";
import type { Verifier, VerifySubject } from "../ports/verifier.ts";
import { createLook } from "./look.ts";
import { reportOf } from "../view/report.ts";
import { loadPublicSuffixes } from "../dns/public-suffixes.ts";
import { createSharedAnswers } from "../dns/shared-answers.ts";
import { SURVEY_TIME_MS, takeSurvey } from "../dns/survey.ts";
import { createVantages } from "../dns/vantages.ts";
import type { DomainsOptions } from "../domains-options.ts";
import { issuersOf } from "../acme/issuers.ts";
import type { ChallengeKind } from "../model/domain.ts";
import { ownHostVerifier } from "../own-hosts/own-hosts.ts";
import type { PipelineContext } from "../pipeline/context.ts";

export interface VerifierOptions {
  /** Surveys the DNS of a name within ten seconds. Rejects only with the signal's reason. */
  readonly survey: (request: {
    readonly hostname: Hostname;
    readonly target: string;
    readonly ownershipName: string;
    /** The same as in `VerifySubject`. */
    readonly dueSince?: number | undefined;
    readonly signal: AbortSignal;
  }) => Promise<Survey>;
  readonly suffixes: () => Eventual<PublicSuffixes>;
  /** The zone in which each domain has its own CNAME target. */
  readonly cnameTarget: string;
  /** Public addresses of this service. Default: none. */
  readonly edgeAddresses?: readonly string[];
  /** Returns the present issuers, preferred first. */
  readonly issuers: () => Promise<readonly Issuer[]>;
  /** Without it, nothing behind a proxy is found. */
  readonly outside?: CheckFromOutside;
}

/** Time for a check; the rest of its ten seconds is for saving the result. */
const BUDGET_MS: number = 9.5 * SECOND_MS;

/** Creates the check of domains that projects have. */
export function createVerifier(options: VerifierOptions): Verifier {
  return async (subject, signal) => {
    const { name, targetLabel, dueSince } = subject;
    const seen = await surveyName(options, {
      name,
      dueSince,
      target: targetName(targetLabel, options.cnameTarget),
      signal,
    });
    const first = judged(subject, seen);
    const network = networkOf(first.verification);
    // Only a request through the proxy shows what is behind it. Without a proxy, the check from outside runs later.
    const view =
      network === undefined ? undefined : await throughProxy(options, seen.survey, signal);
    const answers = view === undefined ? undefined : answersHere(view);
    const { verification, apex } = answers === true ? judged(subject, withAnswer(seen)) : first;
    const { eta, leadsHere } = verification;
    const more = view === undefined ? undefined : outsideFinding(name, view, network);
    const findings = inOrder([...verification.findings, ...(more === undefined ? [] : [more])]);
    const blocking = findings.filter(({ severity }) => severity === "blocking");
    const unseen =
      isFirstUnseen(subject, verification) ||
      (options.outside !== undefined && answers === undefined && blockedByProxyAlone(blocking));
    return {
      state: unseen ? "unknown" : verification.state,
      blocking: blocking.map(({ code }) => code),
      findings: findings.map(({ code }) => code),
      eta,
      forbidden: forbiddenAmong(verification.issuers),
      leadsHere,
      ...(options.outside !== undefined &&
      network === undefined &&
      verification.state === "verified"
        ? { addresses: addressesIn(seen.survey) }
        : {}),
      details: reportOf({ ...verification, findings }, apex),
    };
  };
}

/** Creates the check of names that no project needs to have. */
export function createExplorer(
  options: VerifierOptions & { readonly random: Random },
): (parsed: ParsedHostname, signal: AbortSignal) => Promise<Explanation> {
  return async (parsed, signal) => {
    // A random target has the same addresses as all others in the zone.
    const target = targetName(newTargetLabel(options.random), options.cnameTarget);
    const { survey, facts } = await surveyName(options, { name: parsed.hostname, target, signal });
    return explain(parsed, survey, facts);
  };
}

interface NameSurvey {
  readonly survey: Survey;
  readonly facts: Omit<Parameters<typeof verify>[1], "ownership">;
}

async function surveyName(
  { survey, suffixes, edgeAddresses = [], issuers }: VerifierOptions,
  given: {
    readonly name: string;
    readonly target: string;
    readonly dueSince?: number | undefined;
    readonly signal: AbortSignal;
  },
): Promise<NameSurvey> {
  const { name, ...request } = given;
  const [seen, known] = await Promise.all([
    survey({
      // Validated when the domain was added.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      hostname: name as Hostname,
      ownershipName: ownershipName(name),
      ...request,
    }),
    issuers(),
  ]);
  const registrable = registrableOf(name, await suffixes()) ?? name;
  return { survey: seen, facts: { registrable, edgeAddresses, issuers: known } };
}

/** Judges a survey. A name that already leads here at its first check requires proof of ownership. */
function judged(
  { ownershipToken, contested, attachedBefore, ledHere }: VerifySubject,
  { survey, facts }: NameSurvey,
): { readonly verification: Verification; readonly apex: boolean } {
  const under = (ledBefore: boolean): Verification => {
    const reasons: OwnershipFacts["reasons"] = [
      ...(contested ? (["contested"] as const) : []),
      ...(attachedBefore ? (["attached_before"] as const) : []),
      ...(ledBefore ? (["led_here_when_added"] as const) : []),
    ];
    return verify(survey, { ...facts, ownership: { value: ownershipToken, reasons } });
  };
  const first = under(ledHere === true);
  return {
    verification: ledHere === undefined && first.leadsHere ? under(true) : first,
    apex: apexIn(survey, facts.registrable),
  };
}

/**
 * The first check could not find out where the name leads, and so does not count as the first: otherwise a failed query
 * would exempt a dangling name from the proof of ownership.
 */
function isFirstUnseen({ ledHere }: VerifySubject, { records }: Verification): boolean {
  const routing = records.find(({ purpose }) => purpose === "routing");
  return ledHere === undefined && routing?.state === "unknown";
}

/** Returns the proxy network that the name leads to. */
function networkOf({ findings }: Verification): string | undefined {
  for (const one of findings) if (one.code === "proxied") return one.facts.network;
  return undefined;
}

async function throughProxy(
  { outside }: VerifierOptions,
  survey: Survey,
  signal: AbortSignal,
): Promise<OutsideView | undefined> {
  const { hostname: name, startedAt, finishedAt } = survey;
  const withinMs = BUDGET_MS - (finishedAt - startedAt);
  return outside?.({ name, addresses: addressesIn(survey), proxied: true, withinMs }, signal);
}

function withAnswer({ survey, facts }: NameSurvey): NameSurvey {
  return { survey, facts: { ...facts, answersBehindProxy: true } };
}

/** Only the proxy blocks the domain. */
function blockedByProxyAlone(blocking: readonly Finding[]): boolean {
  return blocking.length > 0 && blocking.every(({ code }) => code === "proxied");
}

/** Returns the addresses at the resolvers and at the authoritative servers. */
function addressesIn({ resolvers, authoritative }: Survey): readonly string[] {
  const views = [...resolvers, ...authoritative];
  return [...new Set(views.flatMap(({ a, aaaa }) => [...recordsOf(a), ...recordsOf(aaaa)]))];
}

/** By delegation if the zone was found, else by the registrable domain. */
function apexIn(survey: Survey, registrable: string): boolean {
  return survey.zone.kind === "found" ? survey.apex : survey.hostname === registrable;
}

/** Creates the checks of domains, of unattached names, of own hosts and of CAA records that name accounts. */
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
    readonly outside: CheckFromOutside;
  },
): {
  readonly verifier: PipelineContext["verifier"];
  readonly look: Look;
  readonly explore: ReturnType<typeof createExplorer>;
  readonly lock: AccountLock;
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
    portOf,
  });
  const issuers = issuersOf({
    authorities,
    store: domainStore,
    challenges: kinds,
    clock,
    caaIdentities,
  });
  const vantagesOf = createSharedAnswers({
    vantages,
    clock,
    suffixes: loadPublicSuffixes,
    cnameTarget,
  });
  const forDomains: VerifierOptions = {
    survey: ({ dueSince = clock.now(), ...request }) => {
      const { hostname } = request;
      return takeSurvey(request, { ...vantagesOf({ hostname, dueSince }), clock, random });
    },
    suffixes: loadPublicSuffixes,
    cnameTarget,
    edgeAddresses,
    issuers,
  };
  const verifyDomain = createVerifier({ ...forDomains, outside });
  const verifyOwn = ownHostVerifier({ ...vantages, issuers, clock, budgetMs: SURVEY_TIME_MS });
  const own = [...ownDomains, ...ownHosts];
  const isOwn = (name: string): boolean => own.some((domain) => isAtOrBelow(name, domain));
  return {
    // Own hosts: a project cannot have such a name.
    verifier: (subject, signal) =>
      isOwn(subject.name) ? verifyOwn(subject, signal) : verifyDomain(subject, signal),
    look: createLook({
      ...vantages,
      suffixes: loadPublicSuffixes,
      allowPrivateNetworks,
      edgeAddresses,
      cnameTarget,
      issuers,
      isOwn,
      clock,
    }),
    explore: createExplorer({ ...forDomains, random }),
    lock: createAccountLock({ vantages, issuers, cnameTarget, ownHosts, clock }),
  };
}
