import type { CaaRequest, CaaVerdict } from "../caa.ts";
import { caaPermission, type CaaPermission } from "../caa-permission.ts";
import { finding, type Finding } from "../finding.ts";
import { few } from "../findings/text.ts";
import type { CaaRecord } from "../answer.ts";
import type { Routing } from "./routing.ts";
import type { Issuer, Subject } from "./subject.ts";
import { nameIn } from "./subject.ts";

/** What CAA records say to one issuer: by which methods it may, that it may not, or that nobody could be asked. */
export type Permission =
  | CaaPermission
  /** They do not bind it. */
  | { readonly kind: "unbound" };

export interface Permissions {
  /** By the id of the issuer. */
  readonly issuers: readonly { readonly id: string; readonly permission: Permission }[];
  readonly standing: "allowed" | "forbidden" | "unknown";
  readonly findings: readonly Finding[];
}

/** Whether any of the issuers may issue; one that may not is a warning as long as another one may. */
export function judgeCaa(subject: Subject, { standing }: Pick<Routing, "standing">): Permissions {
  const { survey, facts } = subject;
  const issuers = facts.issuers.map((issuer) => ({
    id: issuer.id,
    issuer,
    permission: permissionOf(subject, issuer),
  }));
  const free = issuers.some(({ permission: { kind } }) => kind === "allowed" || kind === "unbound");
  const unknown = issuers.some(({ permission: { kind } }) => kind === "unknown");
  const severity = free ? "warning" : "blocking";
  const findings: Finding[] = [];
  if (unknown && survey.caa.kind === "unknown") {
    const { at, reason, explanation } = survey.caa;
    findings.push(
      finding("caa_error", { name: at, reason, ...(explanation !== undefined && { explanation }) }),
    );
  }
  for (const { id, permission } of issuers) {
    if (permission.kind !== "unknown" || permission.silent === "dns") continue;
    const message = "It could not be asked what CAA records call it.";
    findings.push(finding("ca_unavailable", { issuer: id, message }));
  }
  // The records of a name that the domain leads to now are of no account once it leads here.
  if ((standing !== "nowhere" && standing !== "elsewhere") || !isBorrowed(subject)) {
    for (const { issuer, permission } of issuers) {
      if (permission.kind !== "forbidden" || issuer.caa === undefined) continue;
      findings.push(forbidden(subject, issuer.caa, { permission, severity }));
    }
  }
  return {
    issuers: issuers.map(({ id, permission }) => ({ id, permission })),
    standing: free || issuers.length === 0 ? "allowed" : unknown ? "unknown" : "forbidden",
    findings,
  };
}

function permissionOf({ survey: { caa } }: Subject, { caa: request }: Issuer): Permission {
  return request === undefined ? { kind: "unbound" } : caaPermission(caa, request);
}

/** The records stand at the end of an alias, and so belong to somebody else. */
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
      records: few(records.map(inZoneFile)),
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
