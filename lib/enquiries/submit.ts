import { base64url, utf8, type Digest } from "../base/digest.ts";
import { DAY_MS, HOUR_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Charges, Limiter } from "../accounts/limiter.ts";
import type { Mail } from "../mail/mail.ts";
import { clientBlock } from "../model/client-address.ts";
import { visitor } from "../model/actor.ts";
import { retryAfterSeconds } from "../model/window.ts";
import type { EnquiryAnswer, EnquiryDesk } from "../publishing/enquiry-desk.ts";
import type { StoreReads } from "../storage/store.ts";
import type { EnquiryStore } from "./enquiry-store.ts";
import { checkTyped, MAX_KEPT, MAX_PER_DAY, type Enquiry, type EnquiryContent } from "./model.ts";
import type { Stamps } from "./stamps.ts";

/** The dependencies of the desk. */
export interface DeskContext {
  readonly store: Pick<StoreReads, "pets" | "catalogues">;
  readonly enquiryStore: EnquiryStore;
  readonly stamps: Stamps;
  readonly limiter: Limiter;
  readonly mail: Mail;
  /** Returns the email addresses of the owners of an account. */
  readonly ownersOf: (accountId: string) => Promise<readonly string[]>;
  /** Returns the address of an enquiry in the dashboard. */
  readonly addressOf: (accountId: string, enquiryId: number) => string;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly log: Log;
  readonly keepMs: number;
}

/** The limit per client address: enough for a family that looks for a dog, too few for a program. */
const PER_MINUTE = 5;
const PER_HOUR = 20;

/** Per form, in an hour: someone who corrects what they have written sends it again. */
const PER_FORM = 3;

/** The most mails about one enquiry. */
const MAX_RECIPIENTS = 5;

/** Creates the desk that takes enquiries of visitors. */
export function createDesk(context: DeskContext): EnquiryDesk {
  const { store, enquiryStore, stamps, limiter, digest, clock, keepMs } = context;

  const submit: EnquiryDesk["submit"] = async (subject, site, typed, address) => {
    const state = await stamps.read(typed.stamp, subject);
    if (state.kind === "fast") return { kind: "again", stamp: typed.stamp };
    if (state.kind === "unknown" || typed.trap !== "") {
      return { kind: "again", stamp: await stamps.make(subject) };
    }
    const checked = checkTyped(typed);
    if ("faults" in checked) return { kind: "faulty", faults: checked.faults };
    const { content } = checked;
    // Two clicks send the same; what was changed after the first one is another enquiry.
    const sent = await digest.sha256(utf8(JSON.stringify([state.nonce, content])));
    const stamp = base64url(sent);
    if (await enquiryStore.has(subject.catalogueId, stamp)) return { kind: "sent" };
    const charges: Charges = [
      {
        counter: `enquiry ${clientBlock(address)}`,
        rates: { minute: PER_MINUTE, hour: PER_HOUR },
      },
      // A form can be sent for hours, and from many addresses.
      { counter: `enquiry-form ${state.nonce}`, rates: { hour: PER_FORM } },
    ];
    const decision = await limiter.spendAll(charges);
    if (!decision.allowed) {
      return { kind: "refused", retryAfterSeconds: retryAfterSeconds(decision) };
    }
    const pet = await store.pets.byId(subject.catalogueId, subject.petId);
    const now = clock.now();
    const enquiry = {
      ...content,
      ...subject,
      site: site.title,
      language: site.language,
      // An animal that has found a home meanwhile may be gone.
      petName: pet?.name ?? `#${subject.petId}`,
      createdAt: now,
    };
    const stored = await enquiryStore.commit(
      [
        {
          kind: "enquiry.add",
          enquiry,
          stamp,
          dayBefore: now - DAY_MS,
          maxPerDay: MAX_PER_DAY,
          maxKept: MAX_KEPT,
        },
      ],
      visitor,
    );
    if (!stored.ok) return refusalOf(stored.failure);
    await forward(context, { ...enquiry, id: stored.value[0] ?? 0 }, site.email);
    return { kind: "sent" };
  };

  return {
    keptDays: Math.ceil(keepMs / DAY_MS),
    stamp: (subject) => stamps.make(subject),
    submit,
  };
}

function refusalOf(refusal: string): EnquiryAnswer {
  // The same enquiry was stored before.
  if (refusal === "exists") return { kind: "sent" };
  return { kind: "refused", retryAfterSeconds: HOUR_MS / SECOND_MS };
}

/** Mails an enquiry to the shelter. The enquiry is stored, so a mail that cannot be queued is only logged. */
async function forward(
  context: DeskContext,
  enquiry: MailedEnquiry,
  ofSite: string | undefined,
): Promise<void> {
  try {
    await mailEnquiry(context, enquiry, ofSite);
  } catch (error) {
    context.log.error("the mail about an enquiry was not queued", error);
  }
}

type MailedEnquiry = EnquiryContent &
  Pick<Enquiry, "id" | "catalogueId" | "petName" | "site" | "language">;

/**
 * Queues the mails about an enquiry, each once: to the address of the site, or else to the owners of the account. Rejects if
 * too many mails wait.
 */
export async function mailEnquiry(
  { store, mail, ownersOf, addressOf, log }: DeskContext,
  enquiry: MailedEnquiry,
  ofSite: string | undefined,
): Promise<void> {
  if (!mail.enabled) return;
  const { id, catalogueId, site, language, petName: animal, name, email, phone, message } = enquiry;
  const catalogue = await store.catalogues.byId(catalogueId);
  if (catalogue === undefined) return;
  const { accountId } = catalogue;
  const recipients = ofSite === undefined ? await ownersOf(accountId) : [ofSite];
  for (const to of recipients.slice(0, MAX_RECIPIENTS)) {
    const queued = await mail.enqueue({
      kind: "enquiry",
      to,
      language,
      accountId,
      key: `enquiry ${catalogueId} ${id}`,
      data: {
        site,
        animal,
        name,
        email,
        message,
        url: addressOf(accountId, id),
        ...(phone === undefined ? {} : { phone }),
      },
    });
    if (queued.ok) continue;
    if (queued.failure === "full") throw new Error("Too many mails wait.");
    log.warn(`the mail about an enquiry was not queued: ${queued.failure}`);
  }
}
