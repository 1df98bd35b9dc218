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
import { toWire } from "../../lib/base/wire.ts";
import type { DomainsContext, Owner } from "../actions/context.ts";
import { domainVersion, readDomain } from "../actions/show-domain.ts";

/** How often a stream looks whether the domain has changed. Costs no query. */
const LOOK_EVERY_MS: number = SECOND_MS / 4;

/** Describes the events of a followed domain. */
export const domainEvents =
  "`domain` with the resource, at once and whenever it changes; otherwise a comment every 15 seconds. The response ends " +
  "when the domain is deleted.";

/** Streams a domain whenever it changes, until the caller disconnects or the domain is deleted. */
export async function followDomain(
  { request, principal, principalNow }: ProjectCall,
  { streams, clock, log, stopping }: ManagementServices,
  context: DomainsContext,
  { owner, id }: { readonly owner: Owner; readonly id: string },
): Promise<Result<EventReply, Problem>> {
  const leave = await streams.take(principal);
  if (leave === undefined) return refused(tooManyStreams);

  let stale = true;
  const unwatch = context.watch(id, () => {
    stale = true;
  });

  async function* events(signal: AbortSignal): AsyncGenerator<string, void> {
    let version: number | undefined;
    let saidAt = clock.now();
    let allowedAt = saidAt;
    yield OPENING;
    while (!signal.aborted) {
      // A slow reader can delay the next iteration indefinitely.
      if (needsAccessCheck(clock, allowedAt)) {
        if ((await principalNow()) === undefined) return;
        allowedAt = clock.now();
      }
      const current = stale ? await readVersion() : version;
      if (current === undefined) return;
      if (current !== version) {
        const shown = await readDomain(context, owner, id);
        if (!shown.ok) return;
        version = current;
        saidAt = clock.now();
        yield eventText("domain", JSON.stringify(toWire(shown.value)));
      } else if (needsHeartbeat(clock, saidAt)) {
        saidAt = clock.now();
        stale = true;
        yield HEARTBEAT;
      } else await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    }
  }

  const readVersion = (): Promise<number | undefined> => {
    // A change while the domain is read makes it stale again.
    stale = false;
    return domainVersion(context, id);
  };

  const stream = eventStream(events, {
    stopping,
    until: [request.signal],
    log,
    clock,
    onEnd: () => {
      unwatch();
      leave();
    },
  });
  return done(new EventReply(stream));
}
