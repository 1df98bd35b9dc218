import type { Clock, Log } from "../lib/index.ts";
import type { Front } from "./front.ts";
import type { Listener } from "./listener.ts";

/** Look again after that long whether anybody still comes. */
const LOOK_MS = 100;
/** How long we go on for clients that keep coming: load balancers need a moment to see /readyz. */
const LEAVING_MS = 5_000;
/** From the signal to the end of all requests. */
const DRAIN_MS = 25_000;

/**
 * Lets go of the clients: those who come are served, and told to come back elsewhere; once it is quiet
 * no connection is taken any more, and what is under way is finished.
 */
export async function drain({
  front,
  listeners,
  clock,
  log,
}: {
  readonly front: Front;
  readonly listeners: readonly Pick<Listener, "pending" | "stop" | "end">[];
  readonly clock: Clock;
  readonly log: Log;
}): Promise<void> {
  const startedAt = clock.now();
  front.drain();
  for (;;) {
    const before = front.requests;
    await clock.sleep(LOOK_MS);
    const quiet = front.requests === before && listeners.every(({ pending }) => pending === 0);
    if (quiet || clock.now() - startedAt >= LEAVING_MS) break;
  }
  const patience = new AbortController();
  const stopped = Promise.all(listeners.map((listener) => listener.stop())).then(() => true);
  const tired = clock
    .sleep(DRAIN_MS - (clock.now() - startedAt), patience.signal)
    // Aborted, because all is done.
    .catch(() => undefined)
    .then(() => false);
  const finished = await Promise.race([stopped, tired]);
  patience.abort();
  if (finished) return;
  const pending = listeners.reduce((sum, listener) => sum + listener.pending, 0);
  log.warn("requests took too long and were broken off", { pending });
  await Promise.all(listeners.map((listener) => listener.end()));
}
