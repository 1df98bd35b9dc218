import { type CaaRequest, type CaaVerdict, caaPermission, type CaaPermission } from "../caa.ts";
import { decidingCaa, type CaaBehind, type CaaLookup } from "../caa-lookup.ts";
import { finding, type Finding } from "../finding.ts";
import type { StaleAnswer } from "../finding-facts.ts";
import { firstFew } from "../findings/text.ts";
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
  /** By issuer id. */
  readonly issuers: readonly { readonly id: string; readonly permission: Permission }[];
  readonly readiness: "allowed" | "forbidden" | "unknown";
  readonly findings: readonly Finding[];
  /** When the last cached records expire that forbid what the name servers allow. */
  readonly eta?: number;
}

/** Judges whether any issuer may issue; a forbidden one is only a warning while another may. */
export function judgeCaa(subject: Subject, { readiness }: Pick<Routing, "readiness">): Permissions {
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
  if ((readiness !== "nowhere" && readiness !== "elsewhere") || !isBorrowed(subject)) {
    for (const { issuer, permission } of issuers) {
      if (permission.kind !== "forbidden" || issuer.caa === undefined) continue;
      findings.push(forbidden(subject, issuer.caa, { permission, severity }));
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

/** The records are at the end of an alias and belong to its owner. */
function isBorrowed({ survey: { caa } }: Subject): boolean {
  return caa.kind === "found" && caa.owner !== caa.at;
}

function forbidden(
  subject: Subject,
  request: CaaRequest,
  {
    permission: { reason },
    severity,
  }: {
    readonly permission: Extract<CaaVerdict, { kind: "forbidden" }>;
    readonly severity: "blocking" | "warning";
  },
): Finding {
  const { survey, zone, provider } = subject;
  const { caa } = survey;
  const [issuer = ""] = request.identities;
  const [at, records] = caa.kind === "found" ? [caa.owner, caa.records] : [survey.hostname, []];
  return finding(
    "caa_forbids",
    {
      issuer,
      reason,
      at,
      ours: at === survey.target,
      records: firstFew(records.map(inZoneFile)),
      wanted: {
        type: "CAA",
        name: nameIn(zone, at),
        fqdn: at,
        value: `0 issue "${issuer}"`,
        zone,
        ...(provider !== undefined && { provider }),
      },
    },
    { severity },
  );
}

function inZoneFile({ flags, tag, value }: CaaRecord): string {
  return `${flags} ${tag} "${value}"`;
}
