import { andThen, type Eventual } from "../base/eventual.ts";
import { hex, utf8, type Digest } from "../base/digest.ts";
import { actorText } from "../model/actor.ts";
import type { RecordedEvent } from "../model/event.ts";

/** A value that the audit log keeps. */
export type AuditValue = string | number | boolean;

/**
 * A row of the audit log, without its hash. It holds IDs and names of fields, no names of people and no texts that a person
 * wrote. Absent members are unknown or do not apply.
 */
export interface AuditEntry {
  /** The place in the chain, from 1, without gaps. */
  readonly seq: number;
  /** The `seq` of the event that it records. Increases along the chain. */
  readonly event: number;
  /** When the change was decided, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly type: string;
  readonly account?: string;
  readonly catalogue?: number;
  /** As an event's actor is stored: `member:mem_…`. */
  readonly actor?: string;
  /** How the change reached the service. Later versions may add channels. */
  readonly channel?: string;
  /** The client's IP address. */
  readonly address?: string;
  /** What was changed: `pet:7`. */
  readonly subject?: string;
  /** The names of the changed fields. */
  readonly fields?: readonly string[];
  readonly values?: Readonly<Record<string, AuditValue>>;
}

/** A row of the audit log. */
export interface AuditRow extends AuditEntry {
  /** SHA-256 of the hash before it, a line feed and the row's canonical form, in hex. */
  readonly hash: string;
}

/** A place in the chain: the number and the hash of a row. */
export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

/** The place before the first row. */
export const BEGINNING: ChainPlace = { seq: 0, hash: "0".repeat(64) };

/**
 * Returns the last of the oldest rows that are all before an instant; undefined if none is, or only the last one. One more row
 * is passed than may be removed.
 */
export function endOfOld<Row extends ChainPlace & { readonly at: number }>(
  oldest: readonly Row[],
  before: number,
): Row | undefined {
  const kept = oldest.findIndex(({ at }) => at >= before);
  return oldest[Math.min(kept === -1 ? oldest.length : kept, oldest.length - 1) - 1];
}

/** Returns a row's canonical form: JSON with sorted names, without spaces (RFC 8785). */
export function canonical({
  hash: _hash,
  ...entry
}: AuditEntry & { readonly hash?: string }): string {
  return canonicalJson(entry);
}

/** Returns the canonical JSON of integers, texts, booleans, and lists and objects of them. Leaves out undefined members. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    // By UTF-16 code units, as RFC 8785 §3.2.3 wants it.
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

/** Returns the hash of a row that follows the row with the hash `before`. */
export function hashAfter(digest: Digest, before: string, entry: AuditEntry): Eventual<string> {
  return andThen(digest.sha256(utf8(`${before}\n${canonical(entry)}`)), hex);
}

/** Returns the row that records an event. */
export function entryOf(recorded: RecordedEvent, seq: number): AuditEntry {
  const { seq: event, at, type, accountId, catalogueId, actor, origin, changed, data } = recorded;
  const values = valuesOf(data);
  return {
    seq,
    event,
    at,
    type,
    ...(accountId === "" ? {} : { account: accountId }),
    ...(catalogueId === undefined ? {} : { catalogue: catalogueId }),
    ...(actor === undefined ? {} : { actor: actorText(actor) }),
    ...origin,
    ...subjectOf(recorded),
    ...(changed === undefined ? {} : { fields: changed }),
    ...(Object.keys(values).length === 0 ? {} : { values }),
  };
}

/** How an event's data names its subject: a noun and the path of its ID, by the first part of the event's type. */
const SUBJECTS: Readonly<Record<string, string>> = {
  account: "account account.id",
  adopter: "order order.id",
  category: "category category.id",
  certificate: "domain domain",
  certificate_account: "authority authority",
  deploy: "project projectId",
  domain: "domain domain",
  enquiry: "enquiry enquiry.id",
  host: "domain host",
  import: "import import.id",
  key: "key keyId",
  member: "member memberId",
  order: "order order.id",
  passkey: "member memberId",
  photo: "pet petId",
  project: "project projectId",
  session: "member memberId",
  token: "token tokenId",
  webhook: "webhook webhookId",
};

/** The longest subject: a domain has 253 characters. */
const MAX_SUBJECT = 300;

/** Returns what an event is about, as `noun:ID`; nothing if its data does not name it. */
export function subjectOf({ type, data }: Pick<RecordedEvent, "type" | "data">): {
  readonly subject?: string;
} {
  const [kind = ""] = type.split(".", 1);
  if (kind === "pet") {
    const id = memberAt(data, "pet.id") ?? memberAt(data, "petId");
    return id === undefined ? {} : { subject: `pet:${id}` };
  }
  const [noun, path] = SUBJECTS[kind]?.split(" ") ?? [];
  const id = path === undefined ? undefined : memberAt(data, path);
  return id === undefined ? {} : { subject: `${noun}:${id}`.slice(0, MAX_SUBJECT) };
}

/** Returns the text or number at a path, such as `pet.id`. */
function memberAt(value: unknown, path: string): string | number | undefined {
  let found = value;
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null) return undefined;
    found = Object.getOwnPropertyDescriptor(found, name)?.value;
  }
  return typeof found === "string" || typeof found === "number" ? found : undefined;
}

/**
 * The members of events whose values the audit log keeps, under these names. Everything else stays out: names and texts may
 * be personal data, and rows cannot be changed when a person asks for it.
 */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  status: ["pet.status", "order.status"],
  before: ["from"],
  photo: ["photo.id"],
  plan: ["account.plan"],
  environment: ["environment"],
  role: ["role"],
  percent: ["percent"],
  level: ["level"],
  successor: ["replacedBy"],
  slug: ["slug"],
  deploy: ["deployId"],
  state: ["state"],
  project: ["projectId"],
  code: ["code"],
  stage: ["stage"],
  issuer: ["issuer"],
  added: ["import.added"],
  updated: ["import.updated"],
  undone: ["import.undone"],
  kept: ["import.kept"],
  method: ["method"],
  count: ["count"],
  passkey: ["passkeyId"],
  outcome: ["outcome"],
  days: ["days"],
  backup: ["backup"],
};

/** The longest text that is kept as a value. */
const MAX_VALUE = 200;

function valuesOf(data: RecordedEvent["data"]): Readonly<Record<string, AuditValue>> {
  const values: Record<string, AuditValue> = {};
  for (const [name, paths] of Object.entries(VALUES)) {
    const value = paths.map((path) => memberAt(data, path)).find((found) => found !== undefined);
    if (value === undefined) continue;
    values[name] = typeof value === "string" ? value.slice(0, MAX_VALUE) : value;
  }
  return values;
}
