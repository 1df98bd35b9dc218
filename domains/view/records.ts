import type { DomainRecordView } from "../../lib/management/domain-view.ts";
import { RECORD_TTL_SECONDS } from "../model/findings/text.ts";

export interface RecordsWanted {
  readonly domain: string;
  /** Relative to the registrable domain; `@` for that one itself. */
  readonly label: string;
  /** Where a CNAME should lead. */
  readonly target: string;
  readonly ownershipName: string;
  readonly ownershipToken: string;
  /** The ownership record is needed whatever else is there. */
  readonly contested: boolean;
}

/** The record table before the DNS was ever asked: what is to be entered, and nothing of what is there. */
export function firstRecords({
  domain,
  label,
  target,
  ownershipName,
  ownershipToken,
  contested,
}: RecordsWanted): readonly DomainRecordView[] {
  const unseen = { ttl: RECORD_TTL_SECONDS, state: "unchecked", found: [] } as const;
  const routing: DomainRecordView = {
    purpose: "routing",
    required: true,
    type: label === "@" ? "ALIAS" : "CNAME",
    typeText: label === "@" ? "ALIAS (or ANAME)" : "CNAME",
    name: label,
    fqdn: domain,
    value: target,
    ...unseen,
  };
  if (!contested) return [routing];
  const zone = label === "@" ? domain : domain.slice(label.length + 1);
  const ownership: DomainRecordView = {
    purpose: "ownership",
    required: true,
    type: "TXT",
    typeText: "TXT",
    name: ownershipName.slice(0, -zone.length - 1),
    fqdn: ownershipName,
    value: ownershipToken,
    ...unseen,
  };
  return [routing, ownership];
}
