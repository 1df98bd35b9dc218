import { describe, expect, test } from "bun:test";

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import type { LogFields } from "../../../lib/base/log.ts";
import { createMail, type MailOptions } from "../../../lib/mail/create-mail.ts";
import type { NewMail } from "../../../lib/mail/mail.ts";
import type { MailChange, MailStore } from "../../../lib/mail/mail-store.ts";
import type { Delivery, OutgoingMail } from "../../../lib/mail/mailer.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { memoryMailStore } from "../../../lib/mail/storage/memory-mail-store.ts";
import { manualClock } from "../../helpers/clock.ts";

const NOW = Date.parse("2026-11-20T09:30:00Z");
const KEY = new Uint8Array(32).fill(7);
const FROM = { address: "pets@tierheim-köln.example", name: "Pets" };

const SENT: Delivery = { outcome: "sent" };
const BUSY: Delivery = { outcome: "later", server: false, fault: "recipient", code: 450, said: "" };
const DOWN: Delivery = { outcome: "later", server: true, fault: "unreachable", said: "" };
const UNKNOWN: Delivery = { outcome: "refused", fault: "recipient", code: 550, said: "ada@…" };

function aMail(more: Partial<NewMail<"password_reset">> = {}): NewMail<"password_reset"> {
  const data = {
    name: "Ada",
    url: "https://pets.example.org/reset#s3cret",
    expiresAt: NOW + DAY_MS,
  };
  return { kind: "password_reset", to: "ada@example.org", language: "en", data, ...more };
}

/** A queue over a server that answers as `answer` says. */
function queue({
  mailStore = memoryMailStore(),
  clock = manualClock(NOW),
  ...options
}: Partial<MailOptions> & { clock?: ReturnType<typeof manualClock> } = {}) {
  const sent: OutgoingMail[] = [];
  const logged: string[] = [];
  const observed: string[] = [];
  const log = (message: string, fields: LogFields = {}) =>
    logged.push(`${message} ${JSON.stringify(fields)}`);
  const made = {
    answer: (): Delivery | Promise<Delivery> => SENT,
    clock,
    mailStore,
    sent,
    logged,
    observed,
    /** Lets time pass and sends what is due then. */
    after: async (ms: number) => {
      clock.advance(ms);
      await mail.jobs.tick();
    },
  };
  const mail = createMail({
    store: memoryStore(),
    mailStore,
    service: {
      from: FROM,
      mailer: {
        send: async (message) => {
          sent.push(message);
          return made.answer();
        },
        check: async () => ({ reached: true, encrypted: true, signedIn: true }),
      },
    },
    encryptionKey: KEY,
    clock,
    log: {
      debug: log,
      info: log,
      warn: log,
      error: (message, error) => log(message, { error: String(error) }),
    },
    observe: ({ kind, outcome }) => observed.push(`${kind} ${outcome}`),
    ...options,
  });
  return { ...made, mail, set: (answer: typeof made.answer) => (made.answer = answer) };
}

describe("a queued mail", () => {
  test("is sent in the next round, once, and then forgotten", async () => {
    const { mail, sent, after, mailStore, observed } = queue();
    expect(await mail.enqueue(aMail())).toEqual({ ok: true, value: undefined });
    expect(await mail.state()).toEqual({ waiting: 1, oldestAt: NOW });
    await mail.jobs.tick();
    expect(sent).toMatchObject([
      { to: { address: "ada@example.org" }, from: FROM, language: "en", at: NOW },
    ]);
    expect(sent[0]?.messageId).toMatch(/^mail_\w{24}@xn--[\w-]+\.example$/);
    expect(sent[0]?.text).toContain("https://pets.example.org/reset#s3cret");
    expect(await mail.state()).toEqual({ waiting: 0 });
    await after(HOUR_MS);
    expect(sent).toHaveLength(1);
    expect(await mailStore.due(Infinity, 9)).toEqual([]);
    expect(observed).toEqual(["password_reset sent"]);
  });

  test("is sealed: the store sees no address and no link", async () => {
    const { mail, mailStore } = queue();
    await mail.enqueue(aMail());
    const [row] = await mailStore.due(NOW, 1);
    expect(row?.sealed).toMatch(/^v1\.[\w-]+\.[\w-]+$/);
    expect(JSON.stringify(row)).not.toMatch(/ada|s3cret/);
  });

  test("that another key sealed is dropped, not sent", async () => {
    const { mail, mailStore, clock } = queue();
    await mail.enqueue(aMail());
    const other = queue({ mailStore, clock, encryptionKey: new Uint8Array(32).fill(8) });
    await other.mail.jobs.tick();
    expect(other.sent).toEqual([]);
    expect(await mail.state()).toEqual({ waiting: 0 });
    expect(other.observed).toEqual(["password_reset refused"]);
  });

  test("is tried again after 1, 5, 15 minutes, 1, 4 and 12 hours and a day, under one name", async () => {
    const { mail, sent, after, set } = queue({ random: (bytes) => bytes.fill(0) });
    set(() => BUSY);
    const url = "https://pets.example.org/enquiries/1";
    const data = { site: "Pets", name: "Zoe", email: "zoe@example.org", message: "Hi", url };
    await mail.enqueue({ kind: "enquiry", to: "ada@example.org", language: "en", data });
    await mail.jobs.tick();
    const delays = [1, 5, 15, 60, 4 * 60, 12 * 60, 24 * 60].map((minutes) => minutes * MINUTE_MS);
    for (const [index, delay] of delays.entries()) {
      await after(delay - 1);
      expect(sent).toHaveLength(index + 1);
      await after(1 + 5 * SECOND_MS);
      expect(sent).toHaveLength(index + 2);
    }
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
    // Three days are over before the next one.
    await after(DAY_MS);
    expect(sent).toHaveLength(9);
    await after(3 * DAY_MS);
    expect(sent).toHaveLength(9);
    expect(await mail.state()).toEqual({ waiting: 0 });
  });

  test("is not sent after it has expired, and ends when no attempt is left", async () => {
    const { mail, sent, after, set, observed } = queue();
    set(() => BUSY);
    await mail.enqueue(aMail({ expiresAt: NOW + 10 * MINUTE_MS }));
    await mail.jobs.tick();
    await after(2 * MINUTE_MS);
    await after(8 * MINUTE_MS);
    expect(sent).toHaveLength(3 - 1);
    expect(observed).toEqual(["password_reset retried", "password_reset retried"]);
    await after(10 * MINUTE_MS);
    expect(await mail.state()).toEqual({ waiting: 0 });
  });

  test("that is refused is not tried again", async () => {
    const { mail, sent, after, set, observed } = queue();
    set(() => UNKNOWN);
    await mail.enqueue(aMail());
    await after(0);
    await after(DAY_MS);
    expect(sent).toHaveLength(1);
    expect(observed).toEqual(["password_reset refused"]);
  });

  test("of a kind that only a newer version knows waits for that version", async () => {
    const { mail, mailStore, sent, after, observed } = queue();
    const later = { id: "mail_1", kind: "birthday", sealed: "v1.x.y", createdAt: NOW };
    const times = { expiresAt: NOW + DAY_MS, nextAt: NOW, attempts: 0 };
    await mailStore.commit([{ kind: "mail.add", max: 9, mail: { ...later, ...times } }]);
    await mail.jobs.tick();
    expect(observed).toEqual(["birthday retried"]);
    expect(await mail.state()).toEqual({ waiting: 1, oldestAt: NOW });
    await after(2 * DAY_MS);
    expect(await mail.state()).toEqual({ waiting: 0 });
    expect(sent).toEqual([]);
  });

  test("leaves no address, link or answer of the server in the log", async () => {
    const { mail, after, set, logged } = queue();
    for (const answer of [SENT, BUSY, DOWN, UNKNOWN]) {
      set(() => answer);
      await mail.enqueue(aMail({ key: JSON.stringify(answer) }));
      await after(20 * MINUTE_MS);
    }
    expect(logged).not.toEqual([]);
    expect(logged.join("\n")).not.toMatch(/ada|example|s3cret|@/i);
  });
});

describe("a server that fails", () => {
  test("gets no other mail until a minute later, then after a doubled time, and is reported once", async () => {
    const { mail, sent, after, set, logged } = queue();
    set(() => DOWN);
    for (const name of ["ada", "bob", "eve"])
      await mail.enqueue(aMail({ to: `${name}@example.org` }));
    await mail.jobs.tick();
    expect(sent).toHaveLength(1);
    await after(MINUTE_MS - 1);
    expect(sent).toHaveLength(1);
    await after(1);
    expect(sent).toHaveLength(2);
    await after(2 * MINUTE_MS - 1);
    expect(sent).toHaveLength(2);
    set(() => SENT);
    await after(1);
    await after(5 * MINUTE_MS);
    expect(await mail.state()).toEqual({ waiting: 0 });
    const about = (text: string) => logged.filter((line) => line.startsWith(text)).length;
    expect(about("the mail server cannot be used")).toBe(1);
    expect(about("the mail server works again")).toBe(1);
  });
});

describe("a mail is not queued", () => {
  test("without a mail server, which also sends nothing that waits", async () => {
    const { mail, mailStore, clock } = queue();
    await mail.enqueue(aMail());
    const off = queue({ service: undefined, mailStore, clock });
    expect(off.mail.enabled).toBe(false);
    expect(await off.mail.enqueue(aMail())).toEqual({ ok: false, failure: "off" });
    expect(
      await off.mail.sendTest({ to: "a@b.c", language: "en", url: "http://x" }),
    ).toBeUndefined();
    await off.after(DAY_MS);
    expect(await mail.state()).toEqual({ waiting: 1, oldestAt: NOW });
    await off.after(3 * DAY_MS);
    expect(await mail.state()).toEqual({ waiting: 0 });
  });

  test("to an address that cannot be one, or with contents that are too large", async () => {
    const { mail } = queue();
    for (const to of ["", "ada", "ada@example.org\r\nBcc: eve@example.org", "a@b, c@d"]) {
      expect(await mail.enqueue(aMail({ to }))).toEqual({ ok: false, failure: "address" });
    }
    const data = { ...aMail().data, name: "x".repeat(70_000) };
    expect(await mail.enqueue(aMail({ data }))).toEqual({ ok: false, failure: "too_large" });
    expect(await mail.state()).toEqual({ waiting: 0 });
  });

  test("if the address has had enough of its kind within an hour, however it is written", async () => {
    const { mail, clock } = queue();
    const results: unknown[] = [];
    for (const to of [
      "ada@example.org",
      "Ada@Example.org ",
      "ADA@EXAMPLE.ORG",
      "ada@example.org",
    ]) {
      results.push((await mail.enqueue(aMail({ to }))).ok);
    }
    expect(results).toEqual([true, true, true, false]);
    expect(await mail.enqueue(aMail())).toEqual({ ok: false, failure: "too_many" });
    expect((await mail.enqueue(aMail({ to: "bob@example.org" }))).ok).toBe(true);
    clock.advance(HOUR_MS);
    expect((await mail.enqueue(aMail())).ok).toBe(true);
  });

  test("if an account invites more addresses in an hour than a person would", async () => {
    const { mail } = queue();
    const invite = (index: number, accountId: string) => {
      const data = { name: "", url: "https://pets.example.org/reset#x", expiresAt: NOW + DAY_MS };
      const to = `a${index}@example.org`;
      return mail.enqueue({ kind: "invitation", to, language: "en", data, accountId });
    };
    for (let index = 0; index < 60; index++) expect((await invite(index, "acc_1")).ok).toBe(true);
    expect(await invite(60, "acc_1")).toEqual({ ok: false, failure: "too_many" });
    expect((await invite(60, "acc_2")).ok).toBe(true);
  });

  test("twice with the same key to the same recipient, waiting or sent", async () => {
    const { mail, sent, after } = queue();
    const keyed = aMail({ key: "reset 1" });
    for (let times = 0; times < 2; times++) expect((await mail.enqueue(keyed)).ok).toBe(true);
    await mail.jobs.tick();
    expect((await mail.enqueue(keyed)).ok).toBe(true);
    await mail.enqueue({ ...keyed, to: "bob@example.org" });
    await after(MINUTE_MS);
    expect(sent.map(({ to }) => to.address)).toEqual(["ada@example.org", "bob@example.org"]);
    expect(sent[0]?.messageId).not.toBe(sent[1]?.messageId);
  });

  test("if too many wait, and then counts against no limit", async () => {
    const waiting = memoryMailStore();
    const full: MailStore = {
      ...waiting,
      commit: (changes) =>
        waiting.commit(
          changes.map((change) => (change.kind === "mail.add" ? { ...change, max: 0 } : change)),
        ),
    };
    const { mail, logged } = queue({ mailStore: full });
    for (let times = 0; times < 9; times++) {
      expect(await mail.enqueue(aMail())).toEqual({ ok: false, failure: "full" });
    }
    expect(logged).toContain(
      'too many mails wait: a mail was not queued {"kind":"password_reset"}',
    );
  });
});

describe("several processes", () => {
  test("send each mail once", async () => {
    const mailStore = memoryMailStore();
    const clock = manualClock(NOW);
    const nodes = [
      queue({ mailStore, clock }),
      queue({ mailStore, clock }),
      queue({ mailStore, clock }),
    ];
    const [first] = nodes;
    for (let index = 0; index < 50; index++) {
      await first?.mail.enqueue(aMail({ to: `a${index}@example.org` }));
    }
    await Promise.all(nodes.map(({ mail }) => mail.jobs.tick()));
    const names = nodes.flatMap(({ sent }) => sent.map(({ to }) => to.address));
    expect(names).toHaveLength(50);
    expect(new Set(names).size).toBe(50);
  });

  test("take over a mail ten minutes after a process was killed while it sent it", async () => {
    const mailStore = memoryMailStore();
    const clock = manualClock(NOW);
    const killed = queue({ mailStore, clock });
    killed.set(() => new Promise<never>(() => undefined));
    await killed.mail.enqueue(aMail());
    void killed.mail.jobs.tick();
    const other = queue({ mailStore, clock });
    await until(() => killed.sent.length === 1);
    await other.after(10 * MINUTE_MS - 1);
    expect(other.sent).toEqual([]);
    await other.after(5 * SECOND_MS);
    expect(other.sent.map(({ messageId }) => messageId)).toEqual([killed.sent[0]?.messageId ?? ""]);
  });

  test("keep the outcome of the later attempt", async () => {
    const mailStore = memoryMailStore();
    const clock = manualClock(NOW);
    const slow = queue({ mailStore, clock });
    const answer = Promise.withResolvers<Delivery>();
    slow.set(() => answer.promise);
    await slow.mail.enqueue(aMail());
    const sending = slow.mail.jobs.tick();
    await until(() => slow.sent.length === 1);
    const other = queue({ mailStore, clock });
    other.set(() => BUSY);
    await other.after(10 * MINUTE_MS);
    answer.resolve(UNKNOWN);
    await sending;
    expect(await other.mail.state()).toMatchObject({ waiting: 1 });
  });
});

test("a process that stops ends an attempt after three seconds and begins no other", async () => {
  const clock = manualClock(NOW);
  const begun = Promise.withResolvers<void>();
  const sent: string[] = [];
  const { mail, mailStore } = queue({
    clock,
    service: {
      from: FROM,
      mailer: {
        send: (message, signal) => {
          sent.push(message.to.address);
          begun.resolve();
          return new Promise((resolve) => {
            signal?.addEventListener("abort", () => resolve({ ...DOWN, fault: "cut" }));
          });
        },
        check: async () => ({ reached: true, encrypted: true, signedIn: true }),
      },
    },
  });
  await mail.enqueue(aMail());
  await mail.enqueue(aMail({ to: "bob@example.org" }));
  mail.jobs.start();
  await begun.promise;
  const stopped = mail.close();
  clock.advance(3 * SECOND_MS);
  await stopped;
  expect(sent).toHaveLength(1);
  expect((await mailStore.due(NOW + HOUR_MS, 9)).map(({ attempts }) => attempts)).toEqual([0, 1]);
});

test("a store that fails while a mail is sent does not lose the mail", async () => {
  const clock = manualClock(NOW);
  const mailStore = memoryMailStore();
  let failing = false;
  const flaky: MailStore = {
    ...mailStore,
    commit: (changes: readonly MailChange[]) =>
      failing && changes.some(({ kind }) => kind === "mail.end")
        ? Promise.reject(new Error("disk full"))
        : mailStore.commit(changes),
  };
  const { mail, sent, after } = queue({ mailStore: flaky, clock });
  await mail.enqueue(aMail());
  failing = true;
  await after(0);
  failing = false;
  await after(10 * MINUTE_MS);
  expect(sent).toHaveLength(2);
  expect(sent[0]?.messageId).toBe(sent[1]?.messageId ?? "");
  expect(await mail.state()).toEqual({ waiting: 0 });
});

test("a test mail is sent at once and not queued", async () => {
  const { mail, sent, set } = queue();
  set(() => UNKNOWN);
  const to = "ada@example.org";
  const url = "https://pets.example.org/";
  expect(await mail.sendTest({ to, language: "de-AT", url })).toEqual(UNKNOWN);
  expect(sent[0]).toMatchObject({ language: "de", subject: "Testmail von pets.example.org" });
  expect(await mail.state()).toEqual({ waiting: 0 });
});

/** Lets other work run until the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
