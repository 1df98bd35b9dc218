import { eventTypes, type EventType } from "./event-types.ts";

/**
 * The types of entries that only the audit log has. They are stored like events, in the same commit as what they record,
 * but no reader of events and no webhook sees them. Add, never rename.
 */
export const auditTypes = [
  "session.created",
  "session.refused",
  "session.ended",
  "member.password_changed",
  "member.link_created",
  "passkey.added",
  "passkey.removed",
  "setup_link.created",
  "adopter.read",
  "catalogue.exported",
  "enquiries.exported",
  "import.created",
  "import.started",
  "import.cancelled",
  "enquiry.updated",
  "enquiry.removed",
  "deploy.pinned",
  "deploy.unpinned",
  "domain.shared",
  "domain.updated",
  "certificate.renewal_requested",
  "certificate.exported",
  "certificate.revoked",
  "certificate_account.rolled_over",
  "certificate_account.replaced",
  "certificate_account.replacement_cancelled",
  "mail.tested",
  "backup.made",
  "installation.exported",
] as const;

/** The type of an entry that only the audit log has. */
export type AuditType = (typeof auditTypes)[number];

/** Everything that the audit log records. */
export type RecordedType = EventType | AuditType;

/** The types of everything that the audit log records, events first. */
export const recordedTypes: readonly RecordedType[] = [...eventTypes, ...auditTypes];

/** An entry of the audit log, without what the call says: who, from where and when. */
export interface Recorded {
  readonly type: AuditType;
  /** Has the form of an event's data, without secrets and personal data. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The names of the fields that changed. */
  readonly changed?: readonly string[];
}

/** Returns what the audit log records of a call of the management API that succeeded; undefined for nothing. */
export type Records = (
  call: {
    readonly params: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly query: object;
  },
  /** What the response contains, before it is encoded. */
  value: unknown,
) => Recorded | undefined;

/** Returns the names of the members of a value, such as a body. */
export function membersOf(value: unknown): readonly string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

/** Returns a text, number or boolean that an object has under a name; undefined if it has none. */
export function memberNamed(value: unknown, name: string): string | number | boolean | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return typeof found === "string" || typeof found === "number" || typeof found === "boolean"
    ? found
    : undefined;
}
