import { MINUTE_MS, SECOND_MS, systemClock, type Clock } from "../base/clock.ts";
import { deriveKey, webDigest, type Digest } from "../base/digest.ts";
import { once } from "../base/eventual.ts";
import { isolatedLog } from "../base/hook.ts";
import type { Log } from "../base/log.ts";
import {
  aDigest,
  aFunction,
  anAddress,
  aRootKey,
  aStore,
  checkOptions,
  having,
  optional,
  serviceOptions,
} from "../base/options.ts";
import { createRounds, type Jobs, type TakeTurn } from "../base/rounds.ts";
import type { Mail, NewMail } from "../mail/mail.ts";
import { addressNetwork } from "../model/client-address.ts";
import { system } from "../model/actor.ts";
import { memberNamed } from "../model/audit-types.ts";
import type { DomainEvent } from "../model/event.ts";
import type { Store } from "../storage/store.ts";
import { createMailLinks } from "./mail-links.ts";
import { mailPage, MAILS_PATH } from "./mail-page.ts";
import type { MemberStore } from "./member-store.ts";
import { browserIn } from "./model/browser-in.ts";
import { getsMails, type SwitchedMail } from "./model/mail-switches.ts";
import type { Member } from "./model/member.ts";
import { isOld, noticedTypes, noticeOf } from "./notices.ts";

/** Options of the mails about events. */
export interface NoticesOptions {
  /** The store of the petstore. */
  readonly store: Store;
  /** A store in the same database as `store`. */
  readonly memberStore: MemberStore;
  /** Queues the mails: `createMail` makes it. */
  readonly mail: Mail;
  /** The address of the dashboard: `https://pets.example.org`. Mails lead to its pages, and to `/mails/…` below it. */
  readonly dashboardAddress: string;
  /** The petstore's key, of at least 32 bytes. */
  readonly encryptionKey: Uint8Array;
  /** Returns the language of mails to members of an account who chose none. Default: English. */
  readonly languageOf?: ((accountId: string) => Promise<string>) | undefined;
  /** Returns a domain as people read it. Default: in ASCII. */
  readonly shownDomain?: ((domain: string) => string) | undefined;
  /** Queues the mails about an enquiry that were not queued when it was stored. Called for each new one. Default: nothing. */
  readonly onEnquiry?: ((catalogueId: number, enquiryId: number) => Promise<void>) | undefined;
  /** Divides the work among several processes. Default: each of them does it. */
  readonly takeTurn?: TakeTurn | undefined;
  /** Default: the store's. */
  readonly clock?: Clock | undefined;
  /** Default: Web Crypto. A synchronous one, such as `nodeDigest` of `petstore/node`, is faster. */
  readonly digest?: Digest | undefined;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log | undefined;
}

/** A recipient of mails of a kind. */
export type MailReader = Pick<NewMail, "to" | "language" | "unsubscribe">;

/** The mails about events, and their readers' switches. */
export interface Notices {
  /**
   * Returns the members of an account, or the operators, who get mails of a kind: those whose role gets them, and who have not
   * turned them off.
   */
  readers(kind: SwitchedMail, accountId: string | undefined): Promise<readonly MailReader[]>;
  /** Answers a request for a link that turns mails off; undefined for other paths. */
  page(request: Request, path: string): Promise<Response> | undefined;
  /** Queues the mails about new events. */
  readonly jobs: Jobs;
  /** Stops the jobs. The caller must close the stores. */
  close(): Promise<void>;
}

const LOOK_EVERY_MS: number = 5 * SECOND_MS;
/** How often the place is saved while no event causes a mail. */
const SAVE_EVERY_MS: number = MINUTE_MS;
const BATCH = 500;
/** Most batches of a round: 2,000 events a second. */
const MAX_BATCHES = 20;

/** The setting with the last event that was read. */
export const NOTICES_PLACE = "mails about events";

/** Creates the mails about events. Opens nothing and starts nothing. Throws a TypeError for invalid options. */
export function createNotices(options: NoticesOptions): Notices {
  checkOptions("createNotices", options, {
    store: aStore,
    memberStore: having("a member store, such as sqlMemberStore() makes", "commit"),
    mail: having("mail, such as createMail() makes", "enqueue"),
    dashboardAddress: anAddress,
    encryptionKey: aRootKey,
    languageOf: optional(aFunction),
    shownDomain: optional(aFunction),
    onEnquiry: optional(aFunction),
    takeTurn: serviceOptions.takeTurn,
    clock: serviceOptions.clock,
    digest: optional(aDigest),
    log: serviceOptions.log,
  });
  const {
    store,
    memberStore,
    mail,
    dashboardAddress,
    encryptionKey,
    languageOf = async () => "en",
    shownDomain = (domain) => domain,
    onEnquiry = () => Promise.resolve(),
    takeTurn,
    clock = store.clock ?? systemClock,
    digest = webDigest,
  } = options;
  const log = isolatedLog(options.log);
  const key = once(() => deriveKey(digest, encryptionKey, "petstore mail links"));
  const links = createMailLinks({ key, digest });
  const pageAt = (path: string): string => new URL(`/${path}`, dashboardAddress).href;
  const answer = mailPage({ memberStore, links, profileAddress: pageAt("profile") });

  const readerOf = async (
    kind: SwitchedMail,
    { id: memberId, email: to, language, accountId }: Member,
  ): Promise<MailReader> => {
    const token = await links.token({ memberId, kind });
    const usual = async (): Promise<string> =>
      accountId === undefined ? "en" : languageOf(accountId);
    return {
      to,
      language: language ?? (await usual()),
      unsubscribe: token === undefined ? undefined : pageAt(MAILS_PATH.slice(1) + token),
    };
  };

  const readers: Notices["readers"] = async (kind, accountId) => {
    const members = await memberStore.list(accountId);
    const wanted = members.filter((one) => getsMails(one.role, kind) && wants(one, kind));
    return Promise.all(wanted.map((member) => readerOf(kind, member)));
  };

  const send = async (one: NewMail): Promise<void> => {
    const queued = await mail.enqueue(one);
    // Tried again, with the other mails of the event: their keys keep them from being queued twice.
    if (!queued.ok && queued.failure === "full") throw new Error("Too many mails wait.");
    if (!queued.ok)
      log.info("a mail about an event was not queued", { kind: one.kind, reason: queued.failure });
  };

  const aboutDevice = async ({ data, at, accountId }: DomainEvent): Promise<void> => {
    const member = await memberStore.byId(String(data["memberId"]));
    if (member === undefined || data["mailOff"] === true) return;
    // Gone if the member has signed out since.
    const session = await memberStore.session(String(data["sessionId"]));
    const { browser, system: runsOn } = browserIn(session?.userAgent ?? "");
    const network = addressNetwork(session?.address ?? "");
    await send({
      kind: "new_device",
      ...(await readerOf("new_device", member)),
      data: {
        name: member.name,
        at,
        ...(browser === undefined ? {} : { browser }),
        ...(runsOn === undefined ? {} : { system: runsOn }),
        ...(network === undefined ? {} : { network }),
        url: pageAt("profile"),
      },
      accountId: accountId === "" ? undefined : accountId,
      key: `device ${String(data["sessionId"])}`,
    });
  };

  const aboutEnquiry = async ({ catalogueId, data }: DomainEvent): Promise<void> => {
    const id = memberNamed(data["enquiry"], "id");
    if (catalogueId !== undefined && typeof id === "number") await onEnquiry(catalogueId, id);
  };

  const report = async (event: DomainEvent): Promise<void> => {
    const now = clock.now();
    if (isOld(event, now)) return;
    if (event.type === "member.device_added") return aboutDevice(event);
    if (event.type === "enquiry.created") return aboutEnquiry(event);
    const notice = noticeOf(event, now);
    if (notice === undefined) return;
    const accountId = event.accountId === "" ? undefined : event.accountId;
    const { kind, key: named, page } = notice;
    const data =
      notice.kind === "domain_attention"
        ? { ...notice.data, domain: shownDomain(notice.data.domain) }
        : notice.data;
    for (const reader of await readers(kind, accountId)) {
      // Of one notice: its data belongs to its kind.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const one = { kind, ...reader, data: { ...data, url: pageAt(page) } } as NewMail;
      await send({ ...one, accountId, key: named });
    }
  };

  /** The last event that this process has read; another one may have read on since. */
  let reached = 0;
  /** The timeline of `reached`. */
  let timeline: number | undefined;
  let savedAt = -Infinity;

  const placeNow = async (): Promise<number> => {
    const [stored, last] = [await store.settings.get(NOTICES_PLACE), await store.events.last()];
    if (stored === undefined) {
      // Mail is new here: what happened before is no news.
      await save(last);
      return last;
    }
    // After a failover, numbers may be used again. The stored place was lost with the events after it.
    const isOther = store.feed.timeline?.() !== timeline;
    timeline = store.feed.timeline?.();
    return isOther || reached > last ? Number(stored) : Math.max(reached, Number(stored));
  };

  const save = async (place: number): Promise<void> => {
    await store.commit(
      [{ kind: "setting.save", name: NOTICES_PLACE, value: String(place) }],
      system,
    );
    savedAt = clock.now();
  };

  const run = async (): Promise<void> => {
    const from = await placeNow();
    let isNews = false;
    reached = from;
    try {
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        const events = await store.events.after(reached, BATCH);
        for (const event of events) {
          if (noticedTypes.has(event.type)) {
            isNews = true;
            await report(event);
          }
          reached = event.seq;
        }
        if (events.length < BATCH) break;
      }
    } finally {
      const isDue = isNews || Math.abs(clock.now() - savedAt) >= SAVE_EVERY_MS;
      if (reached > from && isDue) await save(reached);
    }
  };

  const errand = {
    what: "mails about events",
    everyMs: LOOK_EVERY_MS,
    inTurn: true,
    atOnce: true,
    run,
  };
  const jobs = createRounds({ clock, log, errands: mail.enabled ? [errand] : [], takeTurn });
  return {
    readers,
    page: (request, path) => (path.startsWith(MAILS_PATH) ? answer(request) : undefined),
    jobs,
    close: () => jobs.stop(),
  };
}

function wants({ mailsOff }: Pick<Member, "mailsOff">, kind: SwitchedMail): boolean {
  return mailsOff?.includes(kind) !== true;
}
