import { SECOND_MS } from "../../../lib/base/clock.ts";
import { finding, type Finding } from "../finding.ts";
import type { StaleAnswer } from "../finding-facts.ts";
import { firstFew, listed } from "../findings/text.ts";
import { rightFindings, wrongFindings } from "./routing-findings.ts";
import { recordsOf } from "../answer.ts";
import { isOwn } from "./route.ts";
import type { Subject } from "./subject.ts";
import {
  isKnown,
  leadsHere,
  serversOf,
  valuesOf,
  type Observation,
  type Observations,
} from "./observation.ts";

/** Where a name points, based on all servers. */
export interface Routing {
  /** `settling`: the newest answer points here, but some servers do not have it yet. */
  readonly readiness: "here" | "settling" | "elsewhere" | "nowhere" | "unknown";
  /** The CNAME leads to the domain's own target. */
  readonly byTarget: boolean;
  /** The name is behind a proxy network. */
  readonly proxied: boolean;
  readonly findings: readonly Finding[];
  /** When the last cached old answer expires. */
  readonly eta?: number;
}

/**
 * Judges where a name points. The authoritative servers decide, as CAs query them directly; resolvers decide only
 * if none of those answered.
 */
export function judgeRouting(subject: Subject, { authorities, resolvers }: Observations): Routing {
  const known = authorities.filter(isKnown);
  const remembered = resolvers.filter(isKnown);
  return known.length > 0
    ? byAuthorities(subject, { known, all: authorities, resolvers })
    : byResolvers(subject, remembered);
}

function byAuthorities(
  subject: Subject,
  {
    known,
    all,
    resolvers,
  }: {
    readonly known: readonly Observation[];
    readonly all: readonly Observation[];
    readonly resolvers: readonly Observation[];
  },
): Routing {
  const here = known.filter((one) => leadsHere(one, subject));
  const others = known.filter((one) => !here.includes(one));
  const newest = newestOf(here);
  const newestOther = newestOf(others);
  if (newest === undefined || (newestOther !== undefined && isNewer(newestOther, newest))) {
    return newestOther === undefined ? NOTHING_KNOWN : wrong(subject, newestOther, known);
  }
  const right = rightFindings(subject, newest, listed(serversOf(here)));
  if (others.length > 0) {
    return {
      ...rightly(here),
      readiness: "settling",
      findings: [...right, behind(subject, others, here)],
    };
  }
  const stale = staleIn(subject, resolvers, known);
  const enough = isConfirmed(subject, { here, all, resolvers });
  return {
    ...rightly(here),
    readiness: enough ? "here" : "unknown",
    findings: stale === undefined ? right : [...right, finding("propagating", stale)],
    ...(stale !== undefined && { eta: stale.until }),
  };
}

function byResolvers(subject: Subject, known: readonly Observation[]): Routing {
  const here = known.filter((one) => leadsHere(one, subject));
  const [first] = here;
  if (first === undefined) {
    const [other] = known;
    // Other resolvers' caches say nothing about the authoritative servers.
    return other === undefined ? NOTHING_KNOWN : wrong(subject, other, [other]);
  }
  const right = rightFindings(subject, first, listed(serversOf(here)));
  const stale = staleIn(subject, known, []);
  return {
    ...rightly(here),
    readiness: stale === undefined ? "here" : "settling",
    findings: stale === undefined ? right : [...right, finding("propagating", stale)],
    ...(stale !== undefined && { eta: stale.until }),
  };
}

const NOTHING_KNOWN: Routing = {
  readiness: "unknown",
  byTarget: false,
  proxied: false,
  findings: [],
};

function rightly(here: readonly Observation[]): Pick<Routing, "byTarget" | "proxied"> {
  return {
    byTarget: here.every(({ destination }) => destination.kind === "target"),
    proxied: here.some(({ destination }) => destination.kind === "proxied"),
  };
}

/** Returns the findings of the newest answer that does not point here; differing answers are reported beside it. */
function wrong(subject: Subject, newest: Observation, known: readonly Observation[]): Routing {
  const same = known.filter((one) => valuesOf(one).join() === valuesOf(newest).join());
  const others = known.filter((one) => !same.includes(one));
  const findings = wrongFindings(subject, newest, listed(serversOf(same)));
  return {
    readiness: newest.destination.kind === "nowhere" ? "nowhere" : "elsewhere",
    byTarget: false,
    proxied: newest.destination.kind === "proxied",
    findings:
      others.length === 0
        ? findings
        : [...findings, { ...behind(subject, others, same), severity: "warning" }],
  };
}

function behind(
  { survey }: Subject,
  others: readonly Observation[],
  ahead: readonly Observation[],
): Finding {
  return finding("ns_disagree", {
    fqdn: survey.hostname,
    type: ahead[0]?.route.kind === "alias" ? "CNAME" : "address",
    values: firstFew([...new Set(others.flatMap(valuesOf))]),
    behind: serversOf(others),
    ahead: serversOf(ahead),
  });
}

/**
 * Whether an answer has enough support: half of the name servers, each counted once, or one resolver. If all
 * resolvers fail, a CA fails as well.
 */
function isConfirmed(
  subject: Subject,
  {
    here,
    all,
    resolvers,
  }: {
    readonly here: readonly Observation[];
    readonly all: readonly Observation[];
    readonly resolvers: readonly Observation[];
  },
): boolean {
  if (resolvers.some((one) => leadsHere(one, subject))) return true;
  const failing = resolvers.filter(
    ({ route }) => route.kind === "unknown" && route.answer.reason === "servfail",
  );
  if (failing.length === resolvers.length) return false;
  return serversOf(here).length * 2 >= serversOf(all).length;
}

/** Returns a finding for old cached answers; undefined if all known answers are current. */
function staleIn(
  subject: Subject,
  resolvers: readonly Observation[],
  authorities: readonly Observation[],
):
  | { readonly stale: readonly [StaleAnswer, ...StaleAnswer[]]; readonly until: number }
  | undefined {
  const [first, ...rest] = resolvers.filter(isKnown).flatMap((one): readonly StaleAnswer[] => {
    const { server: vantage, at = subject.survey.finishedAt, route } = one;
    const old = leadsHere(one, subject)
      ? oldAddresses(subject, one, authorities)
      : { values: valuesOf(one), ttlSeconds: route.kind === "unknown" ? 0 : route.ttlSeconds };
    if (old === undefined) return [];
    return [{ vantage, values: firstFew(old.values), until: at + old.ttlSeconds * SECOND_MS }];
  });
  if (first === undefined) return undefined;
  const until = Math.max(first.until, ...rest.map((one) => one.until));
  return { stale: [first, ...rest], until };
}

/**
 * Returns the addresses, or their absence, that a resolver has cached from before the CNAME record that it returns too:
 * each type is cached on its own, and visitors ask for addresses. Undefined if both address types follow the record, or
 * if a name server has such addresses beside it.
 */
function oldAddresses(
  { ours }: Subject,
  { view }: Observation,
  authorities: readonly Observation[],
): { readonly values: readonly string[]; readonly ttlSeconds: number } | undefined {
  if (view.cname.kind !== "found") return undefined;
  const old = (["a", "aaaa"] as const).flatMap((type) => {
    const answer = view[type];
    if (answer.kind === "unknown" || answer.aliases.length > 0) return [];
    if (authorities.some((one) => isOwn(one.view[type]))) return [];
    const values = recordsOf(answer);
    const misleads =
      values.length === 0 ? ours[type].length > 0 : values.some((one) => !ours.has(one));
    return misleads ? [{ values, ttlSeconds: answer.ttlSeconds }] : [];
  });
  if (old.length === 0) return undefined;
  return {
    values: old.flatMap(({ values }) => values).toSorted(),
    ttlSeconds: Math.max(...old.map(({ ttlSeconds }) => ttlSeconds)),
  };
}

/** Returns the server with the highest serial, else the first one. */
function newestOf(observations: readonly Observation[]): Observation | undefined {
  return observations.reduce<Observation | undefined>(
    (newest, one) => (newest === undefined || isNewer(one, newest) ? one : newest),
    undefined,
  );
}

/** Compares serial numbers, which wrap around at 2^32 (RFC 1982 §3.2). */
function isNewer(one: Observation, other: Observation): boolean {
  if (one.serial === undefined || other.serial === undefined) return false;
  return ((one.serial - other.serial) | 0) > 0;
}
