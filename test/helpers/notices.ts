import type { Delivery, OutgoingMail } from "../../lib/mail/mailer.ts";
import { createMail, type InstallationMail } from "../../lib/mail/create-mail.ts";
import type { MailStore } from "../../lib/mail/mail-store.ts";
import { memoryMailStore } from "../../lib/mail/storage/memory-mail-store.ts";
import { createNotices, type Notices } from "../../lib/members/create-notices.ts";
import { system } from "../../lib/model/actor.ts";
import type { EventType } from "../../lib/model/event-types.ts";
import type { Store } from "../../lib/storage/store.ts";
import { openOffice, type Office } from "./management.ts";

/** The key of the office. */
const encryptionKey = new Uint8Array(32).fill(7);
export const DASHBOARD = "https://pets.example.org";

/** A process that mails about the events of an office. */
export interface MailingNode {
  readonly mail: InstallationMail;
  readonly notices: Notices;
  /** Reads new events and queues their mails, once the time for it has come, and sends what is due. */
  readonly round: () => Promise<void>;
}

/** An office whose events are mailed, and the mails that its server has taken. */
export interface MailingOffice {
  readonly office: Office;
  readonly sent: OutgoingMail[];
  /** Changes what the mail server answers. */
  readonly answer: (delivery: Delivery) => void;
  /** Starts another process on the same stores. */
  readonly start: (wrap?: { readonly store?: (store: Store) => Store }) => MailingNode;
  /** Writes an event. */
  readonly happen: (
    type: EventType,
    data: Readonly<Record<string, unknown>>,
    more?: { readonly accountId?: string; readonly at?: number },
  ) => Promise<void>;
}

export async function openMailingOffice(
  options: { readonly mailStore?: MailStore } = {},
): Promise<MailingOffice> {
  const office = await openOffice();
  const { store, memberStore, clock } = office;
  const { mailStore = memoryMailStore() } = options;
  const sent: OutgoingMail[] = [];
  let outcome: Delivery = { outcome: "sent" };
  const start: MailingOffice["start"] = ({ store: wrapped = (same: Store) => same } = {}) => {
    const mail = createMail({
      store,
      mailStore,
      service: {
        from: { address: "pets@example.org" },
        mailer: {
          send: async (one) => {
            if (outcome.outcome === "sent") sent.push(one);
            return outcome;
          },
          check: async () => ({ reached: true, encrypted: true, signedIn: true }),
        },
      },
      encryptionKey,
      clock,
    });
    const notices = createNotices({
      store: wrapped(store),
      memberStore,
      mail,
      dashboardAddress: DASHBOARD,
      encryptionKey,
      languageOf: async () => "de",
      shownDomain: (domain) => domain.replace("xn--mller-kva", "müller"),
      clock,
    });
    return {
      mail,
      notices,
      round: async () => {
        clock.advance(5_000);
        await notices.jobs.tick();
        await mail.jobs.tick();
      },
    };
  };
  return {
    office,
    sent,
    answer: (delivery) => {
      outcome = delivery;
    },
    start,
    happen: async (type, data, { accountId = office.accountId, at = clock.now() } = {}) => {
      await store.commit([{ kind: "event.write", type, accountId, at, data }], system);
    },
  };
}
