import { isoTime } from "../../lib/base/clock.ts";
import type { EventType } from "../../lib/model/event.ts";
import type { Domain } from "./domain.ts";
import { issuerForOwners } from "./issuer-name.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";

/** Kinds of timeline entries. Add, never rename. */
export const timelineKinds = [
  "added",
  "blocked",
  "verified",
  "contested",
  "lost",
  "issuing",
  "issued",
  "renewed",
  "live",
  "failed",
  "stalled",
  "expiring",
  "lapsed",
  "resumed",
  "stopped",
  "changed",
  "refused",
  "drifting",
  "moved",
  "released",
  "returned",
  "removed",
] as const;

/** The kind of an entry of a domain's timeline. */
export type TimelineKind = (typeof timelineKinds)[number];

/** An event of a domain, before it is stored with domain and time. */
export interface News {
  readonly kind: TimelineKind;
  /** The code of a finding or a refusal. */
  readonly code?: string;
  /** Shown to people; never contains a secret. */
  readonly message?: string;
}

/** An entry of a domain's timeline. `at` is in milliseconds. */
export interface TimelineEntry extends News {
  readonly at: number;
}

/** Entries kept per domain; the oldest are dropped. */
export const MAX_TIMELINE = 200;

/** Longest stored message, in characters. */
export const MAX_MESSAGE = 1_000;

type EventData = Readonly<Record<string, unknown>>;

const EVENTS: Readonly<Partial<Record<TimelineKind, EventType>>> = {
  added: "domain.added",
  verified: "domain.verified",
  contested: "domain.contested",
  lost: "domain.removed",
  issuing: "domain.issuing",
  renewed: "domain.renewed",
  live: "domain.live",
  failed: "domain.failed",
  stalled: "domain.failed",
  expiring: "domain.expiring",
  stopped: "domain.failed",
  drifting: "domain.drifting",
  moved: "domain.moved",
  released: "domain.released",
  returned: "domain.live",
  removed: "domain.removed",
};

/** Returns the event type for the outbox; undefined for kinds that only the timeline has. */
export function eventTypeOf(kind: TimelineKind): EventType | undefined {
  return EVENTS[kind];
}

/** The same for hosts of the service itself, of which only the operators learn. */
export function hostEventTypeOf(kind: TimelineKind): EventType | undefined {
  return kind === "expiring" ? "host.expiring" : undefined;
}

/** Returns an event's data, without the target and the token, which would allow others to claim the domain. */
export function domainEvent(
  domain: Pick<Domain, "id" | "name" | "projectId" | "certificate">,
  { kind, code, message }: News,
): EventData {
  const { id, name, projectId } = domain;
  return {
    domainId: id,
    domain: name,
    projectId,
    ...(kind === "expiring" && expiryOf(domain, issuerForOwners)),
    ...withoutUndefined({ code, message }),
  };
}

/** Returns the data of an event about a host of the service itself, whose IDs mean nothing to others. */
export function hostEvent(
  domain: Pick<Domain, "name" | "certificate">,
  { code, message }: News,
): EventData {
  return { host: domain.name, ...expiryOf(domain), ...withoutUndefined({ code, message }) };
}

/** How overdue a certificate is: `stage` counts the quarters of the time from renewal to expiry that have passed. */
function expiryOf(
  { certificate }: Pick<Domain, "certificate">,
  shown: (issuer: string) => string = (issuer) => issuer,
): EventData {
  if (certificate === undefined) return {};
  const { authority, notAfter, warned: stage } = certificate;
  return { issuer: shown(authority), expiresAt: isoTime(notAfter), ...withoutUndefined({ stage }) };
}
