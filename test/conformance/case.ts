import type { Environment, Limits, Plan } from "../../lib/model/account.ts";
import type { Scope } from "../../lib/model/scope.ts";
import type { ManualClock } from "../../lib/testing/clock.ts";
import type { Api } from "../helpers/api.ts";

/** One sentence that the service promises, and how to find out whether it keeps it. */
export interface Case {
  /** Short, unique, never reused: `lists.default-limit`. */
  readonly id: string;
  /** Where the promise is made. */
  readonly source: Source;
  /** The promise in our words; false when the service breaks it. */
  readonly sentence: string;
  readonly needs: Needs;
  readonly run: (env: Env) => Promise<void>;
}

/**
 * What a case needs besides HTTP. `clock` and `faults` are to be had in process only, `socket` only
 * where there is a wire to write on.
 */
export type Needs = "any" | "clock" | "faults" | "socket";

/** The places that promise something. Each has a case; test/conformance/complete.test.ts says so. */
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

/** A running service with both environments, and what its operator can do. */
export interface Env {
  /** Production, without a key, from an address that no other case uses. */
  readonly anyone: Api;
  /** Staging, likewise. */
  readonly staging: Api;
  /** The same as `anyone`, from the given IP address. */
  from(address: string): Api;
  /** A fresh account with a key of Production. Unless told otherwise its limits are out of the way. */
  account(options?: AccountOptions): Promise<Shelter>;
  /** Cases that need `clock` or `faults`. */
  readonly inside: Inside;
  /** Cases that need `socket`: writes `text` on a connection and resolves with all that comes back until it ends. */
  socket(text: string, options?: SocketOptions): Promise<string>;
}

export interface AccountOptions {
  readonly plan?: Plan;
  /** Makes it Enterprise. */
  readonly limits?: Limits;
  /** Of its key; default: all scopes. */
  readonly scopes?: readonly Scope[];
}

export interface SocketOptions {
  /** Stop waiting after that many milliseconds; default 5,000. */
  readonly patienceMs?: number;
}

/** What only the process that serves can do. */
export interface Inside {
  readonly clock: ManualClock;
  /** Lets time pass and the background jobs do what is due then. */
  pass(ms: number): Promise<void>;
  /** Ends the service in good order, and begins it again over the same store. */
  restart(): Promise<void>;
  /** From now on what `when` picks of the store's methods (`pets.list`, `commit`) throws `error`. */
  fail(error: Error, when?: (method: string) => boolean): void;
  /** Calls of this method of the store wait until the function that comes back is called. */
  hold(method: string): () => void;
  /** The store works again. */
  mend(): void;
}

export interface KeyOptions {
  readonly environment?: Environment;
  readonly scopes?: readonly Scope[];
  readonly expiresInMs?: number;
  /** Networks. */
  readonly allowedAddresses?: readonly string[];
}

/** A key, with the service as it appears to whoever holds it. */
export interface Holder {
  readonly id: string;
  readonly token: string;
  readonly api: Api;
}

/** An account, its first key, and what its operator can do to it. */
export interface Shelter extends Holder {
  readonly accountId: string;
  key(options?: KeyOptions): Promise<Holder>;
  /** Resolves when it is done; the service may need a second to take notice of some of these. */
  changePlan(plan: Plan, limits?: Limits): Promise<void>;
  suspend(): Promise<void>;
  resume(): Promise<void>;
  revoke(keyId: string): Promise<void>;
  /** The old key goes on for 24 hours. */
  rotate(keyId: string): Promise<Holder>;
  unban(keyId: string): Promise<void>;
}
