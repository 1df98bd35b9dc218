import type { Limiter, Charge } from "../accounts/limiter.ts";
import { memoryLimiter } from "../accounts/memory-limiter.ts";
import { MINUTE_MS, systemClock, type Clock } from "../base/clock.ts";
import { deriveKey, hex, utf8, webDigest, type Digest } from "../base/digest.ts";
import { once } from "../base/eventual.ts";
import { isolatedLog } from "../base/hook.ts";
import { randomBase62, systemRandom, type Random } from "../base/id.ts";
import type { Log } from "../base/log.ts";
import {
  aDigest,
  aFunction,
  aLimiter,
  aRootKey,
  aStore,
  checkOptions,
  having,
  optional,
  serviceOptions,
} from "../base/options.ts";
import { done, refused, type Result } from "../base/result.ts";
import { createSeal } from "../base/seal.ts";
import { createSendingRounds } from "../base/sending.ts";
import type { Jobs, TakeTurn } from "../base/rounds.ts";
import { trustedTurns } from "../base/store-clock.ts";
import { faultOfEmail, normalEmail } from "../model/email.ts";
import type { Store } from "../storage/store.ts";
import { mailRates } from "./contents.ts";
import type { MailKind } from "./kinds.ts";
import type { Mail, MailRefusal, NewMail } from "./mail.ts";
import type { MailQueueState, MailStore } from "./mail-store.ts";
import type { Delivery, Mailbox, Mailer } from "./mailer.ts";
import { MAX_WAIT_MS } from "./schedule.ts";
import { createSender, messageIdOf, type MailObservation } from "./sender.ts";
import { mailLanguageOf } from "./words.ts";
import { writeMail } from "./write.ts";

/** The operator's mail server, and the sender of all mails. */
export interface MailService {
  readonly mailer: Mailer;
  readonly from: Mailbox;
}

/** Options of mail. */
export interface MailOptions {
  /** The store of the petstore. */
  readonly store: Store;
  /** A store in the same database as `store`. */
  readonly mailStore: MailStore;
  /** Default: no mail is sent, and mails that wait are deleted when they expire. */
  readonly service?: MailService | undefined;
  /** The petstore's key, of at least 32 bytes. */
  readonly encryptionKey: Uint8Array;
  /** Counts mails by recipient; shared by several processes. Default: counters in the memory of this one. */
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
  /** Called after each attempt, for metrics. Default: none. */
  readonly observe?: ((observation: MailObservation) => void) | undefined;
}

/** The mail of an installation. */
export interface InstallationMail extends Mail {
  /** Sends a test mail now, not over the queue, and returns its outcome; undefined without a mail server. */
  sendTest(mail: {
    readonly to: string;
    readonly language: string;
    /** Address of the dashboard. */
    readonly url: string;
  }): Promise<Delivery | undefined>;
  state(): Promise<MailQueueState>;
  /** Sends mails that are due, and purges. */
  readonly jobs: Jobs;
  /** Stops the jobs; waits a few seconds for a mail that is being sent. The caller must close the store. */
  close(): Promise<void>;
}

/** The most mails that wait. */
const MAX_WAITING = 10_000;
/** Longest contents of a mail, in UTF-8 bytes. */
const MAX_BYTES = 65_536;
const MAX_KEY = 200;
const PURGE_ROWS = 500;
const PURGE_EVERY_MS: number = 10 * MINUTE_MS;

/** Creates mail over a store. Opens nothing and starts nothing. Throws a TypeError for invalid options. */
export function createMail(options: MailOptions): InstallationMail {
  checkOptions("createMail", options, {
    store: aStore,
    mailStore: having("a mail store, such as sqlMailStore() makes", "commit", "due"),
    service: optional(having("a mailer and a sender", "mailer", "from")),
    encryptionKey: aRootKey,
    limiter: optional(aLimiter),
    ...serviceOptions,
    digest: optional(aDigest),
    observe: optional(aFunction),
  });
  const {
    store,
    mailStore,
    service,
    encryptionKey,
    takeTurn,
    clock = store.clock ?? systemClock,
    random = systemRandom,
    digest = webDigest,
    limiter = memoryLimiter({ clock }),
    observe = () => undefined,
  } = options;
  const log = isolatedLog(options.log);
  const keyFor = (purpose: string) => once(() => deriveKey(digest, encryptionKey, purpose));
  const seal = createSeal(keyFor("petstore mail at rest"), random);
  const naming = keyFor("petstore mail names");
  const chance = (): number => (random(new Uint8Array(1))[0] ?? 0) / 256;
  const sender =
    service && createSender({ mailStore, ...service, seal, clock, log, chance, observe });
  const idOf = async (key: string | undefined, to: string): Promise<string> =>
    `mail_${
      key === undefined
        ? randomBase62(random, ID_CHARACTERS)
        : hex(await digest.hmac(await naming(), utf8(JSON.stringify([key, to])))).slice(
            0,
            ID_CHARACTERS,
          )
    }`;

  const enqueue = async <Kind extends MailKind>(
    mail: NewMail<Kind>,
  ): Promise<Result<undefined, MailRefusal>> => {
    if (sender === undefined) return refused("off");
    const { kind, data, key, accountId, unsubscribe } = mail;
    const to = normalEmail(mail.to);
    if (faultOfEmail(to) !== undefined) return refused("address");
    const language = mailLanguageOf(mail.language);
    const contents = JSON.stringify({ kind, to, language, data, unsubscribe });
    if (utf8(contents).length > MAX_BYTES) return refused("too_large");
    if (key !== undefined && key.length > MAX_KEY) throw new TypeError("The key is too long.");
    const charges = chargesOf(kind, to, accountId);
    const decision = await limiter.spendAll(charges);
    if (!decision.allowed) return refused("too_many");
    const id = await idOf(key, to);
    const createdAt = clock.now();
    const latest = createdAt + MAX_WAIT_MS;
    const committed = await mailStore.commit([
      {
        kind: "mail.add",
        max: MAX_WAITING,
        mail: {
          id,
          kind,
          ...(accountId === undefined ? {} : { accountId }),
          sealed: await seal.close(contents, id),
          createdAt,
          expiresAt: Math.min(mail.expiresAt ?? latest, latest),
          attempts: 0,
          nextAt: createdAt,
        },
      },
    ]);
    if (committed.ok) sender.wake();
    else await limiter.refundAll(charges, decision);
    // A mail with this key was queued before.
    if (committed.ok || committed.failure === "exists") return done(undefined);
    log.warn("too many mails wait: a mail was not queued", { kind });
    return refused("full");
  };

  const jobs = createSendingRounds({
    clock,
    log,
    errands: ({ isLeaving, signal }) => [
      ...(sender === undefined
        ? []
        : [{ what: "sending mail", run: () => sender.round(signal(), isLeaving) }]),
      {
        what: "purging mail",
        everyMs: PURGE_EVERY_MS,
        inTurn: true,
        run: () => {
          const at = clock.now();
          const endedBefore = at - MAX_WAIT_MS;
          return mailStore.commit([{ kind: "purge", at, endedBefore, limit: PURGE_ROWS }]);
        },
      },
    ],
    takeTurn: trustedTurns(store, log, takeTurn),
  });

  return {
    enabled: service !== undefined,
    enqueue,
    sendTest: async ({ to, language: tag, url }) => {
      if (service === undefined) return undefined;
      const address = normalEmail(to);
      const { mailer, from } = service;
      const language = mailLanguageOf(tag);
      const messageId = messageIdOf(await idOf(undefined, address), from);
      const written = writeMail({ kind: "test", data: { url } }, language);
      return mailer.send({ messageId, from, to: { address }, at: clock.now(), ...written });
    },
    state: async () => mailStore.state(),
    jobs,
    close: () => jobs.stop(),
  };
}

const ID_CHARACTERS = 24;

/** Returns what a mail counts against. Each kind has counters of its own: the same rates are needed for all of a kind. */
function chargesOf(
  kind: MailKind,
  to: string,
  accountId: string | undefined,
): readonly [Charge, ...Charge[]] {
  const { address, account } = mailRates[kind];
  const recipient = { counter: `${kind}-mail ${to}`, rates: { hour: address } };
  return accountId === undefined || account === undefined
    ? [recipient]
    : [recipient, { counter: `${kind}-mails ${accountId}`, rates: { hour: account } }];
}
