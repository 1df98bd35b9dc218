import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Digest } from "../base/digest.ts";
import type { Random } from "../base/id.ts";
import type { Log } from "../base/log.ts";
import type { Spender, Verdict, CountBy } from "./limiter.ts";
import type { Limits } from "../model/account.ts";
import type { Commit, StoreReads } from "../storage/store.ts";

/** The dependencies of the account actions. */
export interface ActionContext {
  readonly store: StoreReads;
  /** Commits as the actor of the call. */
  readonly commit: Commit;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly log: Log;
  /** Returns the HMAC key under which API key secrets are stored. Kept outside the database. */
  readonly pepper: () => Eventual<Uint8Array>;
  /** Drops a key or account from this process's cache. */
  readonly forget: (topic: "account" | "key", subject: string) => void;
  /** Whether limits are counted by catalogue or by key. */
  readonly countBy: CountBy;
  /** Returns a spender's verdict without spending. */
  readonly peek: (spender: Spender, limits: Limits) => Eventual<Verdict>;
  /** Clears the violations that led to a key's ban. */
  readonly clearViolations: (keyId: string) => Promise<void>;
}
