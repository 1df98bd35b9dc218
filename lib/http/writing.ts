import type { Clock } from "../base/clock.ts";
import type { Closing } from "../base/closing.ts";
import type { Digest } from "../base/digest.ts";
import type { StoreReads } from "../storage/store.ts";
import { bodyReader, readJson, type BodyReader } from "./body.ts";
import { createIdempotency, readIdempotencyKey, type Idempotency } from "./idempotency.ts";

/** What writes need and reads do not. It is loaded with the first write, because many processes only answer reads. */
export interface Writing {
  readonly bodies: BodyReader;
  readonly readJson: typeof readJson;
  readonly readIdempotencyKey: typeof readIdempotencyKey;
  readonly idempotency: Idempotency;
}

export function createWriting({
  store,
  digest,
  clock,
  closing,
}: {
  readonly store: StoreReads;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly closing: Closing;
}): Writing {
  return {
    bodies: bodyReader(clock, closing),
    readJson,
    readIdempotencyKey,
    idempotency: createIdempotency(store, digest),
  };
}
