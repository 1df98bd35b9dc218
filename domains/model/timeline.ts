import type { EventType } from "../../lib/model/event.ts";
import type { Domain } from "./domain.ts";
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
  removed: "domain.removed",
};

/** Returns the event type for the outbox; undefined for kinds that only the timeline has. */
export function eventTypeOf(kind: TimelineKind): EventType | undefined {
  return EVENTS[kind];
}

/** Returns an event's data, without the target and the token, which would allow others to claim the domain. */
export function domainEvent(
  { id, name, projectId }: Pick<Domain, "id" | "name" | "projectId">,
  { code, message }: News,
): EventData {
  return {
    domainId: id,
    domain: name,
    projectId,
    ...withoutUndefined({ code, message }),
  };
}
