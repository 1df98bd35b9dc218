import type { EventType } from "../../lib/model/event.ts";
import type { Domain } from "./domain.ts";
import type { News, TimelineKind } from "./timeline.ts";

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
