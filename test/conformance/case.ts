import type { Environment, Limits, Plan } from "../../lib/model/account.ts";
import type { Scope } from "../../lib/model/scope.ts";
import type { ManualClock } from "../../testing/clock.ts";
import type { Api } from "../helpers/api.ts";

/** One promise of the service, and a check whether the service keeps it. */
export interface Case {
  /** Short, unique, never reused: `lists.default-limit`. */
  readonly id: string;
  /** The source of the promise. */
  readonly source: Source;
  /** The promise in one sentence. */
  readonly sentence: string;
  /** What it needs beside HTTP. `clock` and `faults` exist only in process, `socket` only over a network. */
  readonly needs?: "clock" | "faults" | "socket";
  /** The promise holds for the management API too: its client translates the addresses (in-management.ts). */
  readonly both?: true;
  readonly run: (env: Env) => Promise<void>;
}

/** The sources of promises. Each has a case, which test/conformance/complete.test.ts verifies. */
export const sources = [
  "spec: base address",
  "spec: what the service does 1",
  "spec: what the service does 2",
  "spec: what the service does 3",
  "spec: what the service does 4",
  "spec: PetStatus",
  "spec: NewPet",
  "spec: Pet",
  "spec: Pets",
  "spec: Error",
  "spec: listPets",
  "spec: createPet",
  "spec: getPet",
  "spec: authentication 1",
  "spec: authentication 2",
  "spec: authentication 3",
  "spec: authentication 4",
  "spec: errors",
  "spec: errors 1",
  "spec: query limits",
  "spec: plans",
  "spec: limit headers",
  "spec: limits 1",
  "spec: limits 2",
  "spec: versioning 1",
  "spec: versioning 2",
  "spec: versioning 3",
  "spec: versioning 4",
  "contract: environments",
  "contract: operations",
  "contract: order of checks",
  "contract: without a key",
  "contract: pets",
  "contract: bodies",
  "contract: categories",
  "contract: transitions",
  "contract: orders",
  "contract: deletion",
  "contract: etags",
  "contract: ids",
  "contract: lists",
  "contract: cursors",
  "contract: error body",
  "contract: keys",
  "contract: scopes",
  "contract: rate limits",
  "contract: limit headers",
  "contract: ban",
  "contract: deprecation",
  "contract: retries",
  "contract: every response",
  "contract: description",
] as const;

export type Source = (typeof sources)[number];

/** A running service with both environments, and its operator's actions. */
export interface Env {
  /** Production without a key, from an unused address. */
  readonly anyone: Api;
  /** Staging without a key, from an unused address. */
  readonly staging: Api;
  /** Like `anyone`, from the given IP address. */
  from(address: string): Api;
  /** Creates an account with a Production key. Its default limits are unreachable. */
  account(options?: AccountOptions): Promise<Shelter>;
  /** For cases that need `clock` or `faults`. */
  readonly inside: Inside;
  /** For cases that need `socket`: writes `text` on a connection and resolves with everything received until it closes. */
  socket(text: string, options?: SocketOptions): Promise<string>;
}

export interface AccountOptions {
  readonly plan?: Plan;
  /** Puts the account on the Enterprise plan. */
  readonly limits?: Limits;
  /** The scopes of its key. Default: all. */
  readonly scopes?: readonly Scope[];
}

export interface SocketOptions {
  /** The time limit in milliseconds. Default 5,000. */
  readonly patienceMs?: number;
}

/** Controls that exist only in the serving process. */
export interface Inside {
  readonly clock: ManualClock;
  /** Advances the clock and runs the due jobs. */
  pass(ms: number): Promise<void>;
  /** Closes the service and starts it again over the same store. */
  restart(): Promise<void>;
  /** Makes the store's methods that `when` selects (`pets.list`, `commit`) throw `error`. */
  fail(error: Error, when?: (method: string) => boolean): void;
  /** Blocks calls of this store method until the returned function is called. */
  hold(method: string): () => void;
  /** Repairs the store. */
  mend(): void;
}

export interface KeyOptions {
  readonly environment?: Environment;
  readonly scopes?: readonly Scope[];
  readonly expiresInMs?: number;
  /** Networks. */
  readonly allowedAddresses?: readonly string[];
}

/** A key, and the service as its holder sees it. */
export interface Holder {
  readonly id: string;
  readonly token: string;
  readonly api: Api;
}

/** An account, its first key, and its operator's actions. */
export interface Shelter extends Holder {
  readonly accountId: string;
  key(options?: KeyOptions): Promise<Holder>;
  /** Resolves when done; the service may need a second to notice some changes. */
  changePlan(plan: Plan, limits?: Limits): Promise<void>;
  suspend(): Promise<void>;
  resume(): Promise<void>;
  revoke(keyId: string): Promise<void>;
  /** The old key keeps working for 24 hours. */
  rotate(keyId: string): Promise<Holder>;
  unban(keyId: string): Promise<void>;
}

/** Returns the run of a case that needs one account with the usual limits. */
export function inAccount(run: (shelter: Shelter, env: Env) => Promise<void>): Case["run"] {
  return async (env) => run(await env.account(), env);
}
