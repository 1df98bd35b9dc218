import type { Clock, Log } from "../lib/index.ts";
import type { Front } from "./front.ts";
import type { Listener } from "./listener.ts";

/** Look again after that long whether anybody still comes. */
const LOOK_MS = 100;
/** How long we go on for clients that keep coming: load balancers need a moment to see /readyz. */
const LEAVING_MS = 5_000;
/** How long to serve the connections that are queued when new ones are turned away. */
const SETTLING_MS = 2_000;
/** From the signal to the end of all requests. */
const DRAIN_MS = 25_000;

/**
 * Lets go of the clients: those who come are served, and told to come back elsewhere; once it is quiet, or after a
 * while, new connections are turned away, the last of those that were made are served, and what is under way is finished.
 */
export async function drain({
  front,
  listeners,
  turnAway,
  clock,
  log,
}: {
  readonly front: Front;
  readonly listeners: readonly Pick<Listener, "pending" | "stop" | "end">[];
  /** From now on no new connections are accepted. */
  readonly turnAway: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<void> {
  const startedAt = clock.now();
  const quiet = async (patienceMs: number): Promise<void> => {
    const until = clock.now() + patienceMs;
    for (;;) {
      const before = front.requests;
      await clock.sleep(LOOK_MS);
      if (front.requests === before && listeners.every(({ pending }) => pending === 0)) return;
      if (clock.now() >= until) return;
    }
  };
  front.drain();
  await quiet(LEAVING_MS);
  await turnAway();
  await quiet(SETTLING_MS);
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
