import {
  aCount,
  aDigest,
  aLimiter,
  anAddress,
  aRootKey,
  aStore,
  checkOptions,
  having,
  optional,
  optionsOf,
  serviceOptions,
} from "../base/options.ts";
import { trustedTurns } from "../base/store-clock.ts";
import { credentialJobs } from "../accounts/credential-ring.ts";
import { systemClock, type Clock } from "../base/clock.ts";
import { deriveKey, webDigest, type Digest } from "../base/digest.ts";
import { andThen, once } from "../base/eventual.ts";
import { systemRandom, type Random } from "../base/id.ts";
import { isolatedLog } from "../base/hook.ts";
import type { Log } from "../base/log.ts";
import type { Problem } from "../base/problem.ts";
import { noMail, type Mail } from "../mail/mail.ts";
import type { Result } from "../base/result.ts";
import type { TakeTurn } from "../base/rounds.ts";
import type { Jobs } from "../jobs.ts";
import type { ManagementEndpoint } from "../management/endpoint.ts";
import type { Sessions } from "../management/sessions.ts";
import type { Store } from "../storage/store.ts";
import { host, system, type Actor } from "../model/actor.ts";
import { ensureOperator } from "./actions/set-up.ts";
import type { Limiter } from "../accounts/limiter.ts";
import { memoryLimiter } from "../accounts/memory-limiter.ts";
import { createAttempts } from "./attempts.ts";
import {
  boundedPasswords,
  type PasswordBounds,
  type LeakedPasswords,
  type Passwords,
} from "./passwords.ts";
import { createChallenges } from "./challenges.ts";
import type { MemberContext } from "./context.ts";
import { createDevices } from "./devices.ts";
import { memberEndpoints } from "./endpoints.ts";
import type { MemberStore } from "./member-store.ts";
import type { Passkeys } from "./passkeys.ts";
import { IDLE_MS } from "./model/member.ts";
import { createPresence } from "./presence.ts";
import { createSessionRing, shownName } from "./session-ring.ts";

/** Options of the members of accounts: people who sign in. */
export interface MembersOptions {
  /** The store of the petstore. */
  readonly store: Store;
  /** A store in the same database as `store`. */
  readonly memberStore: MemberStore;
  /** Hashes passwords: `bunPasswords` of `petstore/passwords/bun`, or your own. */
  readonly passwords: Passwords;
  /** Limits on simultaneous and waiting hashes. Default: those of each member. */
  readonly passwordBounds?: PasswordBounds | undefined;
  /** Passwords refused in addition to the rule. Default: none. */
  readonly leaked?: LeakedPasswords | undefined;
  /** Default: passkeys are not offered. */
  readonly passkeys?: Passkeys | undefined;
  /** Sends invitations and reset links. Default: no mail is sent. */
  readonly mail?: Mail | undefined;
  /** The address of the page that reset links open: `https://pets.example.org/reset`. */
  readonly resetAddress: string;
  /** The petstore's key, of at least 32 bytes. */
  readonly encryptionKey: Uint8Array;
  /** Counts password attempts; shared by several processes. Default: counters in the memory of this one. */
  readonly limiter?: Limiter | undefined;
  /** Divides purging among several processes. Default: each of them purges. */
  readonly takeTurn?: TakeTurn | undefined;
  /** Default: the store's. */
  readonly clock?: Clock | undefined;
  /** Fills an array with random bytes. Default: Web Crypto. */
  readonly random?: Random | undefined;
  /** Default: Web Crypto. A synchronous one, such as `nodeDigest` of `petstore/node`, is faster. */
  readonly digest?: Digest | undefined;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log | undefined;
}

/** The members of an installation. */
export interface Members {
  /** Passed to `createManagement`. */
  readonly endpoints: readonly ManagementEndpoint[];
  /** Passed to `createManagement`. */
  readonly sessions: Sessions;
  /**
   * Creates an operator without a link, for the owner of the installation. Leaves an existing member with that email
   * address unchanged. Refused `invalid_value`, `weak_password`, `leaked_password`, `limit_reached`.
   */
  ensureOperator(
    input: { readonly email: string; readonly password: string; readonly name?: string },
    /** Who creates it. Default: the host. */
    actor?: Actor,
  ): Promise<Result<"created" | "exists", Problem>>;
  /** Returns true if any member can sign in. */
  any(): Promise<boolean>;
  /** Picks up sessions ended by other processes, and saves when sessions were last seen. */
  readonly jobs: Jobs;
  /** Stops the jobs. The caller must close the stores. */
  close(): Promise<void>;
}

const PURGE_ROWS = 500;

/** Creates the members service over a store. Opens nothing and starts nothing. Throws a TypeError for invalid options. */
export function createMembers(options: MembersOptions): Members {
  checkOptions("createMembers", options, {
    store: aStore,
    memberStore: having("a member store, such as sqlMemberStore() makes", "commit"),
    passwords: having("passwords with hash() and verify()", "hash", "verify"),
    passwordBounds: optional(
      optionsOf("an object of bounds", {
        atOnce: optional(aCount(1)),
        waiting: optional(aCount(0)),
      }),
    ),
    leaked: optional(having("a list of leaked passwords")),
    passkeys: optional(having("passkeys")),
    mail: optional(having("mail, such as createMail() makes", "enqueue")),
    resetAddress: anAddress,
    encryptionKey: aRootKey,
    limiter: optional(aLimiter),
    ...serviceOptions,
    digest: optional(aDigest),
  });
  const {
    store,
    memberStore,
    passwords,
    passwordBounds = {},
    leaked,
    passkeys,
    mail = noMail,
    resetAddress,
    encryptionKey,
    takeTurn,
    clock = store.clock ?? systemClock,
    random = systemRandom,
    digest = webDigest,
    limiter = memoryLimiter({ clock }),
  } = options;
  const log = isolatedLog(options.log);
  const keyFor = (purpose: string) => once(() => deriveKey(digest, encryptionKey, purpose));
  const pepper = keyFor("petstore session pepper");
  const ring = createSessionRing({ store, memberStore, digest, pepper });
  const presence = createPresence({
    memberStore,
    digest,
    key: keyFor("petstore session proofs"),
  });
  const background = createBackground(log, "a password link was not sent");
  const recording = createBackground(log, "a failed sign-in was not recorded");
  const shared: Omit<MemberContext, "commit" | "recordRefusal"> = {
    store,
    memberStore,
    clock,
    random,
    digest,
    pepper,
    passwords: boundedPasswords(passwords, passwordBounds),
    leaked,
    passkeys,
    challenges: createChallenges({
      key: keyFor("petstore passkey challenges"),
      digest,
      clock,
      random,
    }),
    attempts: createAttempts({ limiter }),
    presence,
    devices: createDevices({ key: keyFor("petstore known browsers"), digest, random }),
    sessions: ring,
    forget: (memberId) => {
      ring.forget("member", memberId);
    },
    mail,
    inBackground: background.begin,
    resetAddress,
  };
  const contextFor = (actor: Actor): MemberContext => ({
    ...shared,
    commit: (changes) => memberStore.commit(changes, actor),
    recordRefusal: (memberId) => {
      recording.begin(async () => {
        const counter = `refusal ${memberId ?? "unknown"}`;
        const { allowed } = await limiter.spendAll([
          { counter, rates: { hour: REFUSALS_PER_HOUR } },
        ]);
        if (!allowed) return;
        await memberStore.commit([{ kind: "session.refuse", memberId, at: clock.now() }], actor);
      });
    },
  });
  const jobs = credentialJobs({
    store,
    ring,
    noun: "sessions",
    clock,
    log,
    takeTurn: trustedTurns(store, log, takeTurn),
    save: (uses) =>
      memberStore.commit(
        [{ kind: "session.use", uses: uses.map(({ id: sessionId, at }) => ({ sessionId, at })) }],
        system,
      ),
    purge: (at) =>
      memberStore.commit(
        [{ kind: "purge", at, seenBefore: at - IDLE_MS, limit: PURGE_ROWS }],
        system,
      ),
  });
  return {
    endpoints: memberEndpoints(contextFor),
    sessions: {
      ...ring,
      isPresent: presence.isPresent,
      nameOf: (memberId) =>
        andThen(memberStore.byId(memberId), (member) =>
          member === undefined
            ? undefined
            : { name: shownName(member), accountId: member.accountId },
        ),
    },
    any: async () => memberStore.any(),
    ensureOperator: (input, actor = host) => ensureOperator(contextFor(actor), input),
    jobs,
    close: async () => {
      await background.end();
      await recording.end();
      await jobs.stop();
    },
  };
}

/** The most work that no response waits for, so that a flood of requests cannot make it grow. */
const MAX_BACKGROUND = 100;

/** How many failed sign-ins of a member, and with unknown email addresses, the audit log gets in an hour. */
const REFUSALS_PER_HOUR = 100;

/** Runs work that no response waits for. `failure` is logged if some fails. */
function createBackground(
  log: Log,
  failure: string,
): {
  readonly begin: MemberContext["inBackground"];
  /** Resolves when all work has ended. */
  readonly end: () => Promise<void>;
} {
  const running = new Set<Promise<void>>();
  return {
    begin: (work) => {
      if (running.size >= MAX_BACKGROUND) return false;
      const done = work()
        .catch((error: unknown) => log.error(failure, error))
        .finally(() => running.delete(done));
      running.add(done);
      return true;
    },
    end: async () => {
      await Promise.all(running);
    },
  };
}
