import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Digest } from "../base/digest.ts";
import type { Random } from "../base/id.ts";
import type { Log } from "../base/log.ts";
import type { Spender, Verdict, CountBy } from "../accounts/limiter.ts";
import type { Limits } from "../model/account.ts";
import type { Store } from "../storage/store.ts";

/** What every action needs of the world. */
export interface ActionContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly log: Log;
  /** Key of the HMAC under which secrets of API keys are stored; kept outside the database. */
  readonly pepper: () => Eventual<Uint8Array>;
  /** Drops what this process remembers of a key or account, so that the next request reads it anew. */
  readonly forget: (topic: "account" | "key", subject: string) => void;
  /** What limits are counted by. */
  readonly countBy: CountBy;
  /** What a request would see of its limits, without spending any of them. */
  readonly look: (spender: Spender, limits: Limits) => Eventual<Verdict>;
  /** Lets the violations of a key that led to its ban be bygones. */
  readonly pardon: (keyId: string) => Promise<void>;
}
