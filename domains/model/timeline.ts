import type { EventType } from "../../lib/model/event.ts";
import type { Domain } from "./domain.ts";

/** What can happen to a domain. Add, never rename. */
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

export type TimelineKind = (typeof timelineKinds)[number];

/** Something that happened to a domain, before it has a place and a time. */
export interface News {
  readonly kind: TimelineKind;
  /** Of a finding or a refusal. */
  readonly code?: string;
  /** For people; never a secret. */
  readonly message?: string;
}

export interface TimelineEntry extends News {
  readonly at: number;
}

/** So many entries are kept of a domain; the oldest give way. */
export const MAX_TIMELINE = 200;

/** A longer message is cut there. */
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

/** How the outbox calls it; undefined for what only the timeline tells. */
export function eventTypeOf(kind: TimelineKind): EventType | undefined {
  return EVENTS[kind];
}

/** What events tell of a domain: never its target or its token, by which others could claim it. */
export function domainEvent(
  { id, name, projectId }: Pick<Domain, "id" | "name" | "projectId">,
  { code, message }: News,
): EventData {
  return {
    domainId: id,
    domain: name,
    projectId,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  };
}
