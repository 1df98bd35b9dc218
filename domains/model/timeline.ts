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
