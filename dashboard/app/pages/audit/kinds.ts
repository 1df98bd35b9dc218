import type { RecordedType } from "../../../../lib/model/audit-types.ts";

/** The groups by which the log is filtered, with their types. */
const GROUPS = {
  animals: /^(?:pet|photo|category)\./,
  adoptions: /^(?:order|adopter)\./,
  enquiries: /^enquir/,
  imports: /^(?:import|catalogue)\./,
  sites: /^(?:project|deploy)\./,
  domains: /^(?:domain|host|certificate)/,
  keys: /^(?:key|token|quota)\./,
  people: /^(?:member|session|passkey|setup_link)\./,
  webhooks: /^webhook\./,
  service: /^(?:account|mail|backup|installation|clock)\./,
} as const;

/** A group of entries. */
export type AuditGroup = keyof typeof GROUPS;

/** Returns the types of each group that has some, in the order of the filter. `types` are all types. */
export function groupsOf(
  types: readonly RecordedType[],
): readonly { readonly group: AuditGroup; readonly types: readonly RecordedType[] }[] {
  // The keys of the literal above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (Object.keys(GROUPS) as AuditGroup[])
    .map((group) => ({ group, types: types.filter((type) => GROUPS[group].test(type)) }))
    .filter((one) => one.types.length > 0);
}

/** Returns the page of what an entry is about; undefined if it has none. */
export function hrefOf(accountId: string, subject: string): string | undefined {
  const [noun = "", ...rest] = subject.split(":");
  const id = rest.join(":");
  const account = `/accounts/${accountId}`;
  switch (noun) {
    case "pet":
      return `${account}/animals/${id}`;
    case "project":
      return `/projects/${id}`;
    case "order":
      return `${account}/orders`;
    case "enquiry":
      return `${account}/enquiries?enquiry=${id}`;
    case "key":
      return `${account}/keys`;
    case "member":
      return `${account}/people`;
    default:
      return undefined;
  }
}
