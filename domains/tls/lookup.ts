import { countedCache } from "../../lib/base/cache.ts";
import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { isPromise, type Eventual } from "../../lib/base/eventual.ts";
import type { CertificateFor, Presented } from "../ports/certificates.ts";

export interface LookupOptions {
  readonly certificateFor: CertificateFor;
  readonly clock: Clock;
  /** How many names may be waited for at a time; further ones are as if unknown. Default 1,000. */
  readonly maxWaiting?: number;
}

/** Names that had to be asked for and led to nothing, and how long they are not asked for again. */
const MAX_UNKNOWN = 10_000;
const UNKNOWN_MS = SECOND_MS;

/**
 * Finds certificates without asking twice at a time, nor at once again, for what takes long. What is at hand is
 * asked for every time: so a change is seen with the next handshake. Rejects as `certificateFor` does.
 */
export function boundedLookup({
  certificateFor,
  clock,
  maxWaiting = 1_000,
}: LookupOptions): CertificateFor {
  const waiting = new Map<string, Promise<Presented | undefined>>();
  const unknown = countedCache<{ readonly until: number }>(MAX_UNKNOWN, () => undefined);

  return (name): Eventual<Presented | undefined> => {
    const asked = waiting.get(name);
    if (asked !== undefined) return asked;
    const known = unknown.get(name);
    if (known !== undefined && clock.now() < known.until) return undefined;
    if (waiting.size >= maxWaiting) return undefined;
    const found = certificateFor(name);
    if (!isPromise(found)) return found;
    const settled = found
      .then((presented) => {
        if (presented === undefined) unknown.set(name, { until: clock.now() + UNKNOWN_MS });
        return presented;
      })
      .finally(() => waiting.delete(name));
    waiting.set(name, settled);
    return settled;
  };
}
