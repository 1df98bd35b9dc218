import { DAY_MS, MINUTE_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Seal } from "../base/seal.ts";
import type { MailContents } from "./contents.ts";
import { isMailKind } from "./contents.ts";
import type { MailEnd, MailStore, QueuedMail } from "./mail-store.ts";
import type { Delivery, Mailbox, Mailer } from "./mailer.ts";
import { nextAttemptAt, pauseAfter } from "./schedule.ts";
import { writeMail } from "./write.ts";

/** The result of an attempt, or the end of a mail without one. */
export interface MailObservation {
  readonly kind: string;
  readonly outcome: MailEnd | "retried";
}

/** The dependencies of sending. */
export interface SenderParts {
  readonly mailStore: MailStore;
  readonly mailer: Mailer;
  readonly from: Mailbox;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns a random number of at least 0 and below 1. */
  readonly chance: () => number;
  readonly observe: (observation: MailObservation) => void;
}

/** Sends the mails that are due, one after the other. */
export interface Sender {
  /**
   * Looks for due mails, if it is time to, and sends them until none is due, the server fails, or `leaving` returns true.
   * `signal` ends an attempt.
   */
  round(signal: AbortSignal, leaving: () => boolean): Promise<void>;
  /** Looks in the next round: a mail was queued. */
  wake(): void;
}

/** How long an attempt has. Longer than any mailer takes: a process that was killed leaves the mail to others after it. */
export const CLAIM_MS: number = 10 * MINUTE_MS;
/** How often to look for mails that other processes queued, or left. */
const LOOK_EVERY_MS: number = 5 * SECOND_MS;
const MAILS_AT_ONCE = 20;

/** Creates a sender for one process. */
export function createSender(parts: SenderParts): Sender {
  const { mailStore, mailer, from, seal, clock, log, chance, observe } = parts;
  let lookAt = -Infinity;
  let pausedUntil = -Infinity;
  /** How often the server failed since the last mail that it took. */
  let failures = 0;

  const isPaused = (now: number): boolean =>
    // If the clock was set back, the age of the failure is unknown.
    now < pausedUntil && pausedUntil - now <= DAY_MS;

  const attempt = async (mail: QueuedMail, signal: AbortSignal): Promise<void> => {
    const { id, kind, attempts } = mail;
    const until = clock.now() + CLAIM_MS;
    const claimed = await mailStore.commit([{ kind: "mail.claim", id, attempts, until }]);
    // Another process sends it.
    if (!claimed.ok) return;
    const delivery = await deliver(mail, signal);
    await settle({ ...mail, attempts: attempts + 1 }, delivery);
    if (delivery.outcome === "later" && delivery.server) pause(delivery);
    else if (failures > 0) {
      failures = 0;
      log.info("the mail server works again", { kind });
    }
  };

  const deliver = async (mail: QueuedMail, signal: AbortSignal): Promise<Delivery> => {
    const { id, kind, sealed, createdAt } = mail;
    // A newer version queued it, and sends it once it has the row.
    if (!isMailKind(kind))
      return { outcome: "later", server: false, fault: "content", said: "unknown kind" };
    let contents: MailContents;
    try {
      // Only this component seals mails, with this form.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      contents = JSON.parse(await seal.open(sealed, id)) as MailContents;
    } catch (error) {
      log.error("a mail cannot be opened and is dropped", error, { mailId: id, kind });
      return { outcome: "refused", fault: "content", said: "cannot be opened" };
    }
    const { to, language } = contents;
    const message = { messageId: messageIdOf(id, from), from, to: { address: to }, at: createdAt };
    return mailer.send({ ...message, ...writeMail(contents, language) }, signal);
  };

  const settle = async (mail: QueuedMail, delivery: Delivery): Promise<void> => {
    const { id, kind, attempts, expiresAt } = mail;
    const at = clock.now();
    const nextAt =
      delivery.outcome === "later"
        ? nextAttemptAt({ attempts, now: at, expiresAt, chance: chance() })
        : undefined;
    const fields = { mailId: id, kind, attempts, ...failureFields(delivery) };
    if (nextAt !== undefined) {
      await mailStore.commit([{ kind: "mail.retry", id, attempts, nextAt }]);
      observe({ kind, outcome: "retried" });
      log.info("a mail was not accepted and is retried", fields);
      return;
    }
    const end = delivery.outcome === "later" ? "expired" : delivery.outcome;
    await mailStore.commit([{ kind: "mail.end", id, attempts, end, at }]);
    observe({ kind, outcome: end });
    if (end === "sent") log.info("a mail was sent", fields);
    else log.warn("a mail was not sent", { ...fields, outcome: end });
  };

  const pause = (delivery: Delivery): void => {
    failures++;
    pausedUntil = clock.now() + pauseAfter(failures);
    if (failures > 1) return;
    log.warn("the mail server cannot be used; mails wait", failureFields(delivery));
  };

  return {
    round: async (signal, leaving) => {
      const now = clock.now();
      if ((now < lookAt && lookAt - now <= LOOK_EVERY_MS) || isPaused(now)) return;
      for (;;) {
        const due = await mailStore.due(clock.now(), MAILS_AT_ONCE);
        lookAt = clock.now() + LOOK_EVERY_MS;
        for (const mail of due) {
          if (isPaused(clock.now())) return;
          if (leaving()) {
            // The next round continues.
            lookAt = -Infinity;
            return;
          }
          await attempt(mail, signal);
        }
        if (due.length < MAILS_AT_ONCE) return;
      }
    },
    wake: () => {
      lookAt = -Infinity;
    },
  };
}

/** Returns the reply code and the reason, without what the server said: that may contain the address. */
function failureFields(delivery: Delivery): Readonly<Record<string, string | number>> {
  if (delivery.outcome === "sent") return {};
  const { fault, code } = delivery;
  return { fault, ...(code === undefined ? {} : { code }) };
}

/** Returns the name of a mail for all attempts. */
export function messageIdOf(id: string, { address }: Mailbox): string {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return `${id}@${new URL(`http://${domain}`).hostname}`;
}
