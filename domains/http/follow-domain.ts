import { SECOND_MS } from "../../lib/base/clock.ts";
import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { EventReply } from "../../lib/http/endpoint.ts";
import type { ProjectCall } from "../../lib/management/endpoint.ts";
import type { ManagementServices } from "../../lib/management/management.ts";
import { tooManyStreams } from "../../lib/management/refusals.ts";
import {
  eventStream,
  eventText,
  HEARTBEAT,
  needsAccessCheck,
  needsHeartbeat,
  OPENING,
} from "../../lib/management/sse.ts";
import { toWire } from "../../lib/management/wire.ts";
import type { Domains, Owner } from "../domains.ts";

/** How often it is looked whether anything changed, in this process or another. */
const LOOK_EVERY_MS: number = SECOND_MS / 2;

/** What is told of a domain that is followed. */
export const domainEvents =
  "`domain` with the resource, at once and whenever it changes; a comment comes every 15 seconds when nothing else " +
  "does. The answer ends when the domain is forgotten.";

/** Shows a domain again and again, whenever it looks different, until somebody ends it or it is forgotten. */
export function followDomain(
  { request, principal, stillAllowed }: ProjectCall,
  { streams, clock, log, stopping }: ManagementServices,
  domains: Domains,
  { owner, id }: { readonly owner: Owner; readonly id: string },
): Result<EventReply, Problem> {
  const leave = streams.open(principal);
  if (leave === undefined) return refused(tooManyStreams);

  async function* tell(signal: AbortSignal): AsyncGenerator<string, void> {
    let version: number | undefined;
    let saidAt = clock.now();
    let allowedAt = saidAt;
    yield OPENING;
    while (!signal.aborted) {
      // Between two texts any time may have passed: a reader is served at its own pace.
      if (needsAccessCheck(clock, allowedAt)) {
        if (!(await stillAllowed())) return;
        allowedAt = clock.now();
      }
      const current = await domains.version(id);
      if (current === undefined) return;
      if (current !== version) {
        const shown = await domains.show(owner, id);
        if (!shown.ok) return;
        version = current;
        saidAt = clock.now();
        yield eventText("domain", JSON.stringify(toWire(shown.value)));
      } else if (needsHeartbeat(clock, saidAt)) {
        saidAt = clock.now();
        yield HEARTBEAT;
      } else await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    }
  }

  const stream = eventStream(tell, {
    until: [stopping, request.signal],
    log,
    clock,
    onEnd: leave,
  });
  return done(new EventReply(stream));
}
