import type { Random } from "../lib/base/id.ts";
import { explain, type Explanation } from "./explain.ts";
import type { OwnershipFacts } from "./model/ownership.ts";
import {
  registrableOf,
  type Hostname,
  type ParsedHostname,
  type PublicSuffixes,
} from "./model/hostname.ts";
import type { Survey } from "./model/survey.ts";
import { newTargetLabel, targetName } from "./model/target.ts";
import { verify, type Issuer, type Verification } from "./model/verification.ts";
import type { Verifier, VerifySubject } from "./ports/verifier.ts";
import { reportOf } from "./view/report.ts";

export interface VerifierOptions {
  /** Asks the DNS everything about a name, within ten seconds. Rejects with the signal's reason alone. */
  readonly survey: (request: {
    readonly hostname: Hostname;
    readonly target: string;
    readonly ownershipName: string;
    readonly signal: AbortSignal;
  }) => Promise<Survey>;
  readonly suffixes: PublicSuffixes;
  /** The zone below which each domain has a name of its own to lead to. */
  readonly cnameTarget: string;
  readonly ownershipName: (domain: string) => string;
  /** Public addresses of this service. Default: none are known. */
  readonly edgeAddresses?: readonly string[];
  /** Who may be asked for certificates as things are now, the first one preferred. */
  readonly issuers: () => Promise<readonly Issuer[]>;
}

/** Looks at domains that are somebody's. */
export function createVerifier(options: VerifierOptions): Verifier {
  return async (subject, signal) => {
    const { name, targetLabel } = subject;
    const seen = await look(options, {
      name,
      target: targetName(targetLabel, options.cnameTarget),
      signal,
    });
    const { verification, apex } = judged(subject, seen);
    const { eta, findings, leadsHere } = verification;
    const blocking = findings.filter(({ severity }) => severity === "blocking");
    return {
      state: isFirstUnseen(subject, verification) ? "unknown" : verification.state,
      blocking: blocking.map(({ code }) => code),
      ...(eta === undefined ? {} : { eta }),
      leadsHere,
      details: reportOf(verification, apex),
    };
  };
}

/** Looks at names that need not be anybody's. */
export function createExplorer(
  options: VerifierOptions & { readonly random: Random },
): (parsed: ParsedHostname, signal: AbortSignal) => Promise<Explanation> {
  return async (parsed, signal) => {
    // Nobody's, but in the zone of all targets: it has the addresses that they have.
    const target = targetName(newTargetLabel(options.random), options.cnameTarget);
    const { survey, facts } = await look(options, { name: parsed.hostname, target, signal });
    return explain(parsed, survey, facts);
  };
}

interface Looked {
  readonly survey: Survey;
  readonly facts: Omit<Parameters<typeof verify>[1], "ownership">;
}

async function look(
  { survey, suffixes, ownershipName, edgeAddresses = [], issuers }: VerifierOptions,
  asked: { readonly name: string; readonly target: string; readonly signal: AbortSignal },
): Promise<Looked> {
  const { name, target, signal } = asked;
  const [seen, known] = await Promise.all([
    survey({
      // It was one when it was added.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      hostname: name as Hostname,
      target,
      ownershipName: ownershipName(name),
      signal,
    }),
    issuers(),
  ]);
  const registrable = registrableOf(name, suffixes) ?? name;
  return { survey: seen, facts: { registrable, edgeAddresses, issuers: known } };
}

/** The verdict. Who is looked at for the first time, and leads here already, has to prove who made it so. */
function judged(
  { ownershipToken, contested, attachedBefore, ledHere }: VerifySubject,
  { survey, facts }: Looked,
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
 * The first look did not learn where the name leads: it is no first look then. Else whatever kept it from the answer
 * would also keep a name that dangles here from having to be proven.
 */
function isFirstUnseen({ ledHere }: VerifySubject, { records }: Verification): boolean {
  const routing = records.find(({ purpose }) => purpose === "routing");
  return ledHere === undefined && routing?.state === "unknown";
}

/** By delegation where the zone was found, by what was registered elsewhere. */
function apexIn(survey: Survey, registrable: string): boolean {
  return survey.zone.kind === "found" ? survey.apex : survey.hostname === registrable;
}
