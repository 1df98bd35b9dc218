import { DAY_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import { andThen, isPromise, type Eventual } from "../base/eventual.ts";
import { isolated, isThenable } from "../base/hook.ts";
import {
  checkOptions,
  listOf,
  oneOf,
  optional,
  optionsOf,
  type Expectation,
} from "../base/options.ts";
import { belonging, isUserId } from "../model/actor.ts";
import { defaultScopes, scopes as allScopes, type Scope } from "../model/scope.ts";
import { DEFAULT_ACCOUNT_ID, defaultAccount } from "./default-account.ts";
import { BoundedNames } from "./bounded-names.ts";
import type { Caller, Keyring } from "./keyring.ts";
import { catalogueCounter, type CountBy } from "./limiter.ts";
import { roles, type AccountRole, type Principal } from "./principal.ts";

/** A user of the host, as events name who made a change. */
export interface PrincipalActor {
  /**
   * 1 to 128 visible ASCII characters without spaces, always the same for one user. Events and the audit log keep it, so use
   * an id from your database, not an email address.
   */
  readonly id: string;
  /** Lets the same object name the actor of `client.as`. */
  readonly kind?: "user" | undefined;
  /** Shown to the user as the own name. At most 200 characters. Default: the id. */
  readonly name?: string | undefined;
}

/** What the principals of both APIs have. */
interface CommonPrincipal {
  /** The user who makes the request. */
  readonly actor: PrincipalActor;
}

/** A user of the host who calls the public API. The request then needs no API key. */
export interface PublicPrincipal extends CommonPrincipal {
  /** The account in whose catalogue the user acts. Leave it out for the default account; `undefined` is refused. */
  readonly account?: string;
  /** What the user may do. Leave it out for all scopes except `pets:admin`; `undefined` is refused. */
  readonly scopes?: readonly Scope[];
  /**
   * Requests with the same key are counted together, against limits of their own as high as the account's. Written like an
   * actor's id. Default: they share the limits of the account's API keys; with `countBy: "key"`, each user has their own.
   */
  readonly limitKey?: string | undefined;
}

/** A user of the host who calls the management API. The request then needs no token and no session. */
export type ManagementPrincipal = CommonPrincipal & {
  /**
   * Requests with the same key are counted together: 600 a minute, and 3,000 for the account. Written like an actor's id.
   * Default: those of the same user.
   */
  readonly limitKey?: string | undefined;
} & (
    | {
        /** The account to which the user belongs. Leave it out for the default account; `undefined` is refused. */
        readonly account?: string;
        readonly role: AccountRole;
      }
    | { readonly account: "all"; readonly role: "operator" }
  );

/**
 * A principal, or a function that finds it. It is called once for each request that needs one, not for unknown paths,
 * OPTIONS or the OpenAPI document. Undefined or null: the request is authenticated by its key, token or session.
 */
export type GivenPrincipal<Each> =
  | Each
  | (() => Each | null | undefined | PromiseLike<Each | null | undefined>);

/** How long a host may take to find a principal. */
const FOUND_WITHIN_MS: number = 10 * SECOND_MS;

/** Asks the host who makes a request. Passes on what it throws, and rejects if it does not answer in time. */
function askHost(given: unknown, clock: Clock): Eventual<unknown> {
  const found: unknown = typeof given === "function" ? given() : given;
  return isThenable(found) ? inTime(found, "the principal of a request", clock) : found;
}

/** Returns what the host finds; rejects if that takes too long. */
async function inTime(found: PromiseLike<unknown>, what: string, clock: Clock): Promise<unknown> {
  const over = new AbortController();
  const late = clock.sleep(FOUND_WITHIN_MS, over.signal).then(() => {
    throw new Error(`The host did not find ${what} within ${FOUND_WITHIN_MS / SECOND_MS} seconds.`);
  });
  // Aborted once it is found.
  late.catch(() => undefined);
  try {
    return await Promise.race([found, late]);
  } finally {
    over.abort();
  }
}

/** What the context of a request says about its user. */
export interface HostContext {
  readonly principal?: unknown;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Returns what `read` makes of the principal of a request; undefined if no user is signed in. Anything that is wrong is
 * reported to the host, and thrown: the request fails.
 */
export function principalOf<Read>(
  { principal, onError }: HostContext,
  clock: Clock,
  read: (value: unknown) => Eventual<Read>,
): Eventual<Read | undefined> {
  const failed = (error: unknown): never => {
    if (onError !== undefined) isolated(onError, () => undefined)(error);
    throw error;
  };
  try {
    const done = andThen(askHost(principal, clock), (value) =>
      value === undefined || value === null ? undefined : read(value),
    );
    return isPromise(done) ? done.catch(failed) : done;
  } catch (error) {
    return failed(error);
  }
}

const PLACE = "The principal of a request";

const anId: Expectation = {
  what: "a text of 1 to 128 visible ASCII characters without spaces",
  holds: (value) => typeof value === "string" && isUserId(value),
  secret: true,
  instead: (value) => {
    if (typeof value !== "string") return undefined;
    return /^[!-~]+$/.test(value) ? `one of ${value.length}` : "one that is empty or has others";
  },
};

const anActor: Expectation = optionsOf("the user, such as { id: user.id }", {
  id: anId,
  kind: optional(oneOf(["user"])),
  name: optional({
    what: "a text of 1 to 200 characters",
    holds: (value) => typeof value === "string" && value !== "" && value.length <= 200,
    secret: true,
  }),
});

const ACCOUNT_ID = /^acc_[0-9A-Za-z]{1,32}$/;

const anAccount: Expectation = {
  what: "the id of an account",
  holds: (value) => typeof value === "string" && ACCOUNT_ID.test(value),
};

const anAccountOrAll: Expectation = {
  what: 'the id of an account, or "all"',
  holds: (value) => value === "all" || anAccount.holds(value),
};

/** Returns the principal of a request to the public API. Throws a TypeError that names the first fault. */
function publicPrincipal(value: unknown): PublicPrincipal {
  // The check makes it one.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const principal = value as PublicPrincipal;
  checkOptions(PLACE, principal, {
    account: optional(anAccount),
    scopes: optional(listOf(oneOf(allScopes))),
    limitKey: optional(anId),
    actor: anActor,
  });
  refuseUndefined(principal, "account");
  refuseUndefined(principal, "scopes");
  return principal;
}

/** Returns the principal of a request to the management API. Throws a TypeError that names the first fault. */
function managementPrincipal(value: unknown): ManagementPrincipal {
  // The check makes it one.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const principal = value as ManagementPrincipal;
  checkOptions<ManagementPrincipal>(PLACE, principal, {
    account: optional(anAccountOrAll),
    role: oneOf(roles),
    limitKey: optional(anId),
    actor: anActor,
  });
  refuseUndefined(principal, "account");
  const { account, role } = principal;
  if ((account === "all") !== (role === "operator")) {
    throw new TypeError(
      `${PLACE}: the role operator belongs to the account "all", and the other roles to one account.`,
    );
  }
  return principal;
}

/** Refuses a right that is there without a value, as if the host had looked it up in vain. */
function refuseUndefined(principal: object, name: string): void {
  if (name in principal && Reflect.get(principal, name) === undefined) {
    throw new TypeError(`${PLACE}: ${name} is undefined. Leave it out for its default.`);
  }
}

/** The fault of a principal whose account does not exist. */
function unknownAccount(account: string): TypeError {
  return new TypeError(`${PLACE}: the account ${account} does not exist.`);
}

/** Returns the caller of the management API whom a principal describes. Rejects if anything is wrong. */
export async function managementUser(
  value: unknown,
  context: Parameters<typeof defaultAccount>[0],
): Promise<Principal> {
  const {
    account,
    role,
    limitKey,
    actor: { id, name = id },
  } = managementPrincipal(value);
  const accountId = account === "all" ? undefined : (account ?? (await defaultAccount(context)).id);
  if (accountId !== undefined && (await context.store.accounts.byId(accountId)) === undefined) {
    throw unknownAccount(accountId);
  }
  return {
    role,
    accountId,
    name,
    counter: `user ${account ?? accountId} ${limitKey ?? id}`,
    actor: { kind: "user", id, ...belonging(accountId) },
  };
}

/** Returns the function that finds the names of the host's users, and reports its first failure. */
export function userNames(
  userName: (id: string) => unknown,
  clock: Clock,
  report: (error: unknown) => void,
): (id: string) => Promise<string | undefined> {
  const failed = isolated(report, () => undefined);
  return async (id) => {
    try {
      const name = await inTime(Promise.resolve(userName(id)), "the name of a user", clock);
      return typeof name === "string" ? name : undefined;
    } catch (error) {
      failed(error);
      return undefined;
    }
  };
}

/** Finds the users of the host who call the public API. */
export interface HostUsers {
  /** Returns the user who makes a request; undefined if no user is signed in. Throws or rejects if anything is wrong. */
  identify(context: HostContext, now: number): Eventual<Caller | undefined>;
}

/** The most users and limit keys that are counted separately in one process at the same time. */
const MAX_COUNTED = 100_000;

/** Creates what finds the users of the host. `context` creates the default account. */
export function hostUsers({
  keyring,
  clock,
  countBy,
  context: host,
}: {
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly countBy: CountBy;
  readonly context: Parameters<typeof defaultAccount>[0];
}): HostUsers {
  const counted = new BoundedNames(MAX_COUNTED);

  const find = (account: string | undefined, now: number): ReturnType<Keyring["catalogueOf"]> => {
    if (account !== undefined) return keyring.catalogueOf(account, now);
    return andThen(keyring.catalogueOf(DEFAULT_ACCOUNT_ID, now), (found) =>
      found.ok
        ? found
        : defaultAccount(host).then(() => keyring.catalogueOf(DEFAULT_ACCOUNT_ID, now)),
    );
  };

  return {
    identify: (context, now) =>
      principalOf(context, clock, (value): Eventual<Caller> => {
        const {
          account: accountId,
          scopes = defaultScopes,
          limitKey,
          actor: { id },
        } = publicPrincipal(value);
        return andThen(find(accountId, now), (found) => {
          if (!found.ok) throw unknownAccount(accountId ?? DEFAULT_ACCOUNT_ID);
          const { account, catalogueId } = found.value;
          const shared = catalogueCounter(catalogueId);
          /** Returns the name of a counter of its own, as long as there are not too many. */
          const ownOf = (name: string): string | undefined => {
            const wanted = `user ${catalogueId} ${name}`;
            return counted.use(wanted, DAY_MS, now) === wanted ? wanted : undefined;
          };
          const own = ownOf(id);
          const alone = countBy === "key" ? own : shared;
          const counter = limitKey === undefined ? alone : ownOf(limitKey);
          return {
            account,
            catalogueId,
            scopes,
            actor: { kind: "user", id },
            spender: { counter: counter ?? shared, keyId: own ?? `users ${catalogueId}` },
          };
        });
      }),
  };
}
