import { type CaaRequest, type CaaVerdict, caaPermission, type CaaPermission } from "../caa.ts";
import { decidingCaa, type CaaBehind, type CaaLookup } from "../caa-lookup.ts";
import { finding, type Finding } from "../finding.ts";
import type { CaaSeen, StaleAnswer } from "../finding-facts.ts";
import { firstFew } from "../findings/text.ts";
import { isAtOrBelow } from "../hostname.ts";
import type { CaaRecord } from "../answer.ts";
import type { Routing } from "./routing.ts";
import type { Issuer, Subject } from "./subject.ts";
import { nameIn } from "./subject.ts";

/** What CAA permits one issuer: its methods, nothing, or unknown. */
export type Permission =
  | CaaPermission
  /** The issuer is not subject to CAA. */
  | { readonly kind: "unbound" };

export interface Permissions {
  /** The permissions by issuer id. */
  readonly issuers: readonly { readonly id: string; readonly permission: Permission }[];
  readonly readiness: "allowed" | "forbidden" | "unknown";
  readonly findings: readonly Finding[];
  /** When the last cached records expire that forbid what the name servers allow. */
  readonly eta?: number;
}

/** Judges whether any issuer may issue; a forbidden one is only a warning while another may. */
export function judgeCaa(
  subject: Subject,
  routing: Pick<Routing, "readiness" | "byTarget">,
): Permissions {
  const { readiness } = routing;
  const { survey, facts } = subject;
  const caa = decidingCaa(survey);
  const issuers = facts.issuers.map((issuer): Judged => {
    const permission = permissionOf(caa, issuer);
    const forbids = ({ lookup }: { readonly lookup: CaaLookup }): boolean =>
      isFree(permission) && permissionOf(lookup, issuer).kind === "forbidden";
    return {
      ...{ id: issuer.id, issuer, permission },
      behind: survey.caaBehind.filter(forbids),
      stale: survey.caaCached.filter(forbids),
    };
  });
  const free = issuers.some(({ permission, behind }) => isFree(permission) && behind.length === 0);
  const unknown = issuers.some(({ permission: { kind } }) => kind === "unknown");
  const severity = free ? "warning" : "blocking";
  const findings: Finding[] = [];
  if (unknown && caa.kind === "unknown") {
    const { at, reason, explanation } = caa;
    findings.push(
      finding("caa_error", { name: at, reason, ...(explanation !== undefined && { explanation }) }),
    );
  }
  for (const { id, permission } of issuers) {
    if (permission.kind !== "unknown" || permission.silent === "dns") continue;
    const message = "It could not be asked what CAA records call it.";
    findings.push(finding("ca_unavailable", { issuer: id, message }));
  }
  // The current alias's records no longer apply once the name points here.
  const leaving = readiness === "nowhere" || readiness === "elsewhere";
  if (caa.kind === "found" && !(leaving && isBorrowed(caa, subject))) {
    const at = placeOf(subject, caa, routing);
    for (const { issuer, permission } of issuers) {
      if (permission.kind !== "forbidden" || issuer.caa === undefined) continue;
      findings.push(forbidden(subject, issuer.caa, { permission, severity, at }));
    }
  }
  for (const behind of new Set(issuers.flatMap((one) => one.behind))) {
    findings.push(disagreement(behind, severity));
  }
  const stale = staleIn(issuers);
  if (stale !== undefined) findings.push(finding("propagating", stale));
  const allowed = issuers.length === 0 || issuers.some(({ permission }) => isFree(permission));
  return {
    issuers: issuers.map(({ id, permission }) => ({ id, permission })),
    readiness: allowed ? "allowed" : unknown ? "unknown" : "forbidden",
    findings,
    ...(stale !== undefined && { eta: stale.until }),
  };
}

interface Judged {
  readonly id: string;
  readonly issuer: Issuer;
  readonly permission: Permission;
  /** Servers that lag behind and forbid what the others allow. */
  readonly behind: Subject["survey"]["caaBehind"];
  /** Resolvers in the same situation. */
  readonly stale: Subject["survey"]["caaCached"];
}

function isFree({ kind }: Permission): boolean {
  return kind === "allowed" || kind === "unbound";
}

function disagreement(
  { at, servers, ahead, lookup }: CaaBehind,
  severity: "blocking" | "warning",
): Finding {
  // Records of a parent are not what these servers return for this name.
  const values = lookup.kind === "found" && lookup.at === at ? lookup.records.map(inZoneFile) : [];
  const facts = {
    fqdn: at,
    type: "CAA",
    values: firstFew(values),
    behind: servers,
    ahead,
  } as const;
  return finding("ns_disagree", facts, { severity });
}

/** Returns the resolvers with cached records that forbid a certificate; CAs do not use them. */
function staleIn(issuers: readonly Judged[]) {
  const [first, ...rest] = [...new Set(issuers.flatMap(({ stale }) => stale))].map(
    ({ vantage, lookup, until }): StaleAnswer => ({
      vantage,
      values: firstFew(lookup.kind === "found" ? lookup.records.map(inZoneFile) : []),
      until,
    }),
  );
  if (first === undefined) return undefined;
  const until = Math.max(first.until, ...rest.map((one) => one.until));
  return { type: "CAA", stale: [first, ...rest], until } as const;
}

function permissionOf(caa: CaaLookup, { caa: request }: Issuer): Permission {
  return request === undefined ? { kind: "unbound" } : caaPermission(caa, request);
}

type CaaSet = Extract<CaaLookup, { kind: "found" }>;

/** The records are at the end of the name's own alias. */
function isBorrowed({ at, owner }: CaaSet, { survey }: Subject): boolean {
  return at === survey.hostname && owner !== at;
}

/** Where the records are that forbid, and where the owner can enter one that helps. */
type Place = Pick<CaaSeen, "at" | "ours" | "records" | "remedy" | "alias"> & {
  readonly fqdn: string;
};

function placeOf(
  subject: Subject,
  caa: CaaSet,
  routing: Pick<Routing, "readiness" | "byTarget">,
): Place {
  const { at, owner, records } = caa;
  const isOurs = owner === subject.survey.target || routing.byTarget;
  return {
    at: owner,
    ours: isBorrowed(caa, subject) && isOurs,
    records: firstFew(records.map(inZoneFile)),
    ...(owner === at ? {} : { alias: at }),
    ...remedyFor(subject, caa, routing),
  };
}

function forbidden(
  { zone, provider }: Subject,
  request: CaaRequest,
  {
    permission: { reason },
    severity,
    at: { fqdn, ...place },
  }: {
    readonly permission: Extract<CaaVerdict, { kind: "forbidden" }>;
    readonly severity: "blocking" | "warning";
    readonly at: Place;
  },
): Finding {
  const [issuer = ""] = request.identities;
  const value = `0 issue "${issuer}"`;
  const wanted = { type: "CAA", name: nameIn(zone, fqdn), fqdn, value, zone } as const;
  const facts = {
    ...{ issuer, reason },
    ...place,
    wanted: { ...wanted, ...(provider !== undefined && { provider }) },
  };
  return finding("caa_forbids", facts, { severity });
}

/**
 * Decides where a record helps. The lowest name with records decides (RFC 8659 §3), so where the records themselves are
 * out of reach, one at a name below them takes precedence; but none can stand beside a CNAME record.
 */
function remedyFor(
  { survey: { hostname }, zone, apex, facts: { registrable } }: Subject,
  { at, owner }: CaaSet,
  { readiness }: Pick<Routing, "readiness">,
): Pick<Place, "fqdn" | "remedy"> {
  // A name without a zone of its own below a public suffix: the suffix's operator runs the zone, not the owner.
  const reach = isAtOrBelow(registrable, zone) ? registrable : zone;
  if (isAtOrBelow(owner, reach)) {
    const leadsHere = readiness === "here" || readiness === "settling";
    const stays = owner !== hostname || apex || leadsHere;
    return stays ? { fqdn: owner } : { fqdn: owner, remedy: "remove" };
  }
  const labels = hostname.split(".");
  const highest = labels
    .map((_, index) => labels.slice(index).join("."))
    .filter((name) => isAtOrBelow(name, reach) && isAtOrBelow(name, at) && name !== at)
    .findLast((name) => apex || name !== hostname);
  return highest === undefined
    ? { fqdn: owner, remedy: "ask" }
    : { fqdn: highest, remedy: "precede" };
}

function inZoneFile({ flags, tag, value }: CaaRecord): string {
  return `${flags} ${tag} "${value}"`;
}
