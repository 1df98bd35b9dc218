import { describe, expect, test } from "bun:test";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import type { OutgoingMail } from "../../../lib/mail/mailer.ts";
import { eventTypes, type EventType } from "../../../lib/model/event-types.ts";
import { noticeOf } from "../../../lib/members/notices.ts";
import { PASSWORD } from "../../helpers/management.ts";
import { DASHBOARD, openMailingOffice, type MailingOffice } from "../../helpers/notices.ts";

const DOMAIN = { domainId: "dom_1", domain: "pets.xn--mller-kva.example", projectId: "prj_1" };
const NOW = 1_795_000_000_000;
const QUOTA = { limit: 10_000, resetsAt: NOW, environment: "production" };

/** Every event that causes a mail, and what its mail says. */
const causes: readonly (readonly [EventType, object, string, string | undefined])[] = [
  ["domain.failed", { code: "no_record" }, "records", "domain dom_1 records"],
  ["domain.failed", { code: "caa_forbids" }, "records", "domain dom_1 records"],
  ["domain.failed", { code: "stalled_30m" }, "stalled", "domain dom_1 stalled"],
  ["domain.failed", { code: "plan_required" }, "plan", "domain dom_1 plan"],
  ["domain.failed", { code: "account_suspended" }, "suspended", "domain dom_1 suspended"],
  // Retried; if that does not help, there is a mail about overdue certificates.
  ["domain.failed", { code: "ca_unavailable" }, "", undefined],
  ["domain.failed", { code: "validation_failed" }, "", undefined],
  ["domain.failed", { code: "not_servable" }, "", undefined],
  ["domain.failed", {}, "", undefined],
  // Reported by the mail about the failed check before it.
  ["domain.drifting", { code: "cname_mismatch" }, "records", "domain dom_1 records"],
  ["domain.moved", {}, "moved", "domain dom_1 moved"],
  ["domain.released", { code: "released" }, "released", "domain dom_1 released"],
  ["domain.contested", { code: "taken" }, "contested", "domain dom_1 contested"],
  ["domain.removed", { code: "taken" }, "lost", "domain dom_1 lost"],
  ["domain.removed", { code: "requested" }, "", undefined],
];

describe("the decision about an event", () => {
  test("of a domain depends on what its owner can do", () => {
    for (const [type, data, trouble, key] of causes) {
      const event = { type, accountId: "acc_1", at: NOW, data: { ...DOMAIN, ...data } };
      const notice = noticeOf(event, NOW);
      expect([type, data, notice?.key]).toEqual([type, data, key]);
      if (key === undefined) continue;
      expect(notice).toEqual({
        kind: "domain_attention",
        data: { domain: DOMAIN.domain, trouble: trouble as never },
        page: `projects/prj_1/domains/${DOMAIN.domain}`,
        key,
      });
    }
  });

  test("of used requests or a failed backup is a mail, and of any other type none", () => {
    const about = (type: EventType, data: object) =>
      noticeOf({ type, accountId: "acc_1", at: NOW, data: { ...data } }, NOW);
    expect(about("quota.threshold_reached", { percent: 80, ...QUOTA })).toMatchObject({
      kind: "quota_reached",
      page: "accounts/acc_1/usage",
      key: "quota acc_1 production 80",
    });
    expect(about("quota.threshold_reached", { percent: 50, ...QUOTA })).toBeUndefined();
    expect(about("quota.threshold_reached", { percent: 80 })).toBeUndefined();
    expect(
      about("backup.failed", { reason: "full", lastGoodAt: "1970-01-01T00:00:00.007Z" }),
    ).toEqual({
      kind: "backup_failed",
      data: { reason: "full", lastGoodAt: 7 },
      page: "system",
      key: "backup 1970-01-01T00:00:00.007Z",
    });
    const failed = { webhookId: "wh_1", host: "hooks.example", reason: "failing", status: 503 };
    expect(about("webhook.disabled", failed)).toEqual({
      kind: "webhook_disabled",
      data: { host: "hooks.example", reason: "failing", status: 503 },
      page: "accounts/acc_1/webhooks",
      key: "webhook wh_1",
    });
    const silent = eventTypes.filter(
      (type) =>
        !/^(?:domain|quota|backup|webhook)\./.test(type) && about(type, DOMAIN) !== undefined,
    );
    expect(silent).toEqual([]);
  });

  test("of an event before the last three days is none", () => {
    const event = { type: "domain.moved", accountId: "acc_1", at: NOW, data: DOMAIN } as const;
    expect(noticeOf(event, NOW + 3 * DAY_MS)).toBeDefined();
    expect(noticeOf(event, NOW + 3 * DAY_MS + 1)).toBeUndefined();
  });
});

const to = (mails: readonly OutgoingMail[]): readonly string[] =>
  mails.map(({ to: { address } }) => address).toSorted();

/** Adds a member with each role. */
async function staffed({ office }: MailingOffice): Promise<void> {
  await office.signIn("owner", { email: "owner@shelter.org" });
  await office.signIn("staff", { email: "staff@shelter.org" });
  await office.signIn("viewer", { email: "viewer@shelter.org" });
  await office.signIn("operator", { email: "operator@example.org" });
}

/** An owner, and a node that has read all events. */
async function withOwner() {
  const mailing = await openMailingOffice();
  await mailing.office.signIn("owner", { email: "owner@shelter.org" });
  const node = mailing.start();
  await node.round();
  return { ...mailing, node };
}

describe("a mail about an event", () => {
  test("goes to the members who can act, in their language, and leads to the page", async () => {
    const mailing = await openMailingOffice();
    await staffed(mailing);
    const { office, sent, happen, start } = mailing;
    const node = start();
    await node.round();
    await happen("domain.moved", DOMAIN);
    await happen("quota.threshold_reached", { percent: 80, ...QUOTA });
    await happen("backup.failed", { reason: "No space left." }, { accountId: "" });
    // Another account's members get nothing.
    await happen("domain.moved", DOMAIN, { accountId: "" });
    await node.round();
    const about = (text: string) => sent.filter(({ subject }) => subject.includes(text));
    expect(to(about("Aufmerksamkeit"))).toEqual(["owner@shelter.org", "staff@shelter.org"]);
    expect(to(about("API-Anfragen"))).toEqual(["owner@shelter.org"]);
    expect(to(about("Backup"))).toEqual(["operator@example.org"]);
    expect(sent).toHaveLength(4);
    expect(about("Aufmerksamkeit")[0]?.subject).toBe(
      "pets.müller.example braucht Ihre Aufmerksamkeit",
    );
    expect(about("Aufmerksamkeit")[0]?.text).toContain(
      `${DASHBOARD}/projects/prj_1/domains/pets.xn--mller-kva.example`,
    );
    expect(about("Backup")[0]?.text).toContain("> No space left.");
    const owner = await office.memberStore.byEmail("owner@shelter.org");
    const english = { kind: "member.language", memberId: owner?.id ?? "", language: "en" } as const;
    await office.memberStore.commit([{ ...english, at: 0 }], { kind: "system" });
    await happen("domain.released", { ...DOMAIN, domainId: "dom_2" });
    await node.round();
    expect(sent.slice(4).map(({ to: { address }, language }) => [address, language])).toEqual([
      ["owner@shelter.org", "en"],
      ["staff@shelter.org", "de"],
    ]);
  });

  test("is sent once for a domain that flaps a hundred times, and again after three days", async () => {
    const { office, sent, happen, node } = await withOwner();
    for (let flap = 0; flap < 100; flap++) {
      await happen("domain.failed", { ...DOMAIN, code: "no_record" });
      await happen("domain.live", DOMAIN);
      await happen("quota.threshold_reached", { percent: 80, ...QUOTA });
      if (flap % 10 === 0) await node.round();
    }
    await node.round();
    expect(sent).toHaveLength(2);
    office.clock.advance(3 * DAY_MS + HOUR_MS);
    // Purges what has ended long ago.
    await node.mail.jobs.tick();
    await happen("domain.failed", { ...DOMAIN, code: "no_record" });
    await node.round();
    expect(sent).toHaveLength(3);
  });

  test("is one of ten in an hour at most, when a provider's outage concerns fifty domains", async () => {
    const { sent, happen, node } = await withOwner();
    for (let index = 0; index < 50; index++) {
      await happen("domain.failed", { ...DOMAIN, domainId: `dom_${index}`, code: "no_record" });
    }
    await node.round();
    expect(sent).toHaveLength(10);
  });

  test("is one of two nodes', whichever reads the event first", async () => {
    const { office, sent, happen, start } = await openMailingOffice();
    await office.signIn("owner", { email: "owner@shelter.org" });
    const [one, two] = [start(), start()];
    await one.round();
    await happen("domain.moved", DOMAIN);
    await Promise.all([one.notices.jobs.tick(), two.notices.jobs.tick()]);
    await Promise.all([one.mail.jobs.tick(), two.mail.jobs.tick()]);
    await one.round();
    await two.round();
    expect(to(sent)).toEqual(["owner@shelter.org"]);
  });

  test("waits while the mail server is down", async () => {
    const { office, sent, happen, answer, start, node } = await withOwner();
    answer({ outcome: "later", server: true, fault: "unreachable", said: "" });
    await happen("domain.moved", DOMAIN);
    await node.round();
    expect(sent).toEqual([]);
    answer({ outcome: "sent" });
    // The node was killed meanwhile.
    const next = start();
    office.clock.advance(10 * MINUTE_MS);
    await next.round();
    expect(to(sent)).toEqual(["owner@shelter.org"]);
  });

  test("is sent once, at whichever step the process is killed", async () => {
    // Without a kill, a round reads the place, the last event and a page, queues two mails, and saves the place.
    for (let steps = 0; steps < 8; steps++) {
      const mailing = await openMailingOffice();
      await mailing.office.signIn("owner", { email: "owner@shelter.org" });
      const { sent, happen, start } = mailing;
      await start().round();
      await happen("domain.moved", DOMAIN);
      await happen("quota.threshold_reached", { percent: 100, ...QUOTA });
      let left = steps;
      const step = <Value>(work: () => Value): Value => {
        if (left-- <= 0) throw new Error("killed");
        return work();
      };
      const killed = start({
        store: (store) => ({
          ...store,
          settings: { get: (name) => step(() => store.settings.get(name)) },
          events: {
            ...store.events,
            after: (...given) => step(() => store.events.after(...given)),
          },
          commit: (...given) => step(() => store.commit(...given)),
        }),
      });
      await killed.round();
      await start().round();
      await start().round();
      expect([steps, sent.map(({ subject }) => subject).toSorted()]).toEqual([
        steps,
        [
          "Alle heutigen API-Anfragen sind verbraucht",
          "pets.müller.example braucht Ihre Aufmerksamkeit",
        ],
      ]);
    }
  });

  test("is not sent about what happened before mail was set up", async () => {
    const { office, sent, happen, start } = await openMailingOffice();
    await office.signIn("owner", { email: "owner@shelter.org" });
    await happen("domain.moved", DOMAIN);
    await start().round();
    await start().round();
    expect(sent).toEqual([]);
  });

  test("is sent about an event that has the number of one that a failover lost", async () => {
    const { sent, happen, start, office } = await openMailingOffice();
    await office.signIn("owner", { email: "owner@shelter.org" });
    const { store } = office;
    let lost = 0;
    let timeline = 1;
    const last = async (): Promise<number> => (await store.events.last()) + lost;
    const node = start({
      store: (whole) => ({
        ...whole,
        feed: { ...whole.feed, timeline: () => timeline },
        events: {
          ...whole.events,
          last,
          after: async (seq, limit) => {
            const events = await whole.events.after(seq, limit);
            const end = await last();
            const unseen = {
              type: "key.created",
              accountId: "",
              at: 0,
              data: {},
              seq: end,
            } as const;
            return lost > 0 && end > seq ? [...events, unseen] : events;
          },
        },
      }),
    });
    await node.round();
    lost = 3;
    await node.round();
    lost = 0;
    timeline = 2;
    await happen("domain.failed", { ...DOMAIN, code: "no_record" });
    for (let count = 0; count < 5; count++) await happen("project.updated", {});
    await node.round();
    expect(sent).toHaveLength(1);
  });

  test("is tried again while the queue is full, and nothing after it is skipped", async () => {
    const { sent, happen, node } = await withOwner();
    await happen("domain.moved", DOMAIN);
    await happen("domain.released", DOMAIN);
    let full = true;
    const enqueue = node.mail.enqueue.bind(node.mail);
    Object.assign(node.mail, {
      enqueue: async (mail: never) => (full ? { ok: false, failure: "full" } : enqueue(mail)),
    });
    await node.round();
    expect(sent).toEqual([]);
    full = false;
    await node.round();
    await node.round();
    expect(sent).toHaveLength(2);
  });
});

describe("a sign-in in another browser", () => {
  const SESSIONS = "/manage/v1/sessions";

  /** A node that has read all events, and a member who signs in for the first time. */
  async function withViewer() {
    const { office, sent, start } = await openMailingOffice();
    const node = start();
    await node.round();
    const { email } = await office.signIn("viewer", { email: "ada@shelter.org" });
    return { office, sent, node, email };
  }

  test("is reported with its time, browser and network, but the first one is not", async () => {
    const { sent, node, office, email } = await withViewer();
    await node.round();
    expect(sent).toEqual([]);
    const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";
    const browser = office.browser({ address: "203.0.113.77", userAgent });
    await browser.api.post(SESSIONS, { email, password: PASSWORD });
    await node.round();
    expect(to(sent)).toEqual(["ada@shelter.org"]);
    const [mail] = sent;
    expect(mail?.text).toContain("Browser: Firefox auf Linux\nNetz: 203.0.113.…");
    expect(mail?.text).not.toContain("203.0.113.77");
    expect(mail?.text).toContain(`${DASHBOARD}/profile`);
    // Who reads the mailbox could hide the next one.
    expect(mail?.unsubscribe).toBeUndefined();
  });

  test("is reported although its mails are turned off right after it; the next one is not", async () => {
    const { sent, node, office, email } = await withViewer();
    const thief = office.browser();
    await thief.api.post(SESSIONS, { email, password: PASSWORD });
    const off = { kind: "new_device", on: false };
    expect((await thief.api.patch("/manage/v1/me/mails", off)).status).toBe(200);
    await node.round();
    expect(to(sent)).toEqual([email]);
    await office.browser().api.post(SESSIONS, { email, password: PASSWORD });
    await node.round();
    expect(to(sent)).toEqual([email]);
  });

  test("is reported once: the browser is known from then on, also after signing out", async () => {
    const { sent, node, office, email } = await withViewer();
    const bob = await office.signIn("staff", { email: "bob@shelter.org" });
    const browser = office.browser();
    for (const who of [email, bob.email, email, bob.email]) {
      expect((await browser.api.post(SESSIONS, { email: who, password: PASSWORD })).status).toBe(
        201,
      );
      await browser.api.delete(`${SESSIONS}/current`);
      await node.round();
    }
    expect(to(sent)).toEqual([email, bob.email]);
    // The event says nothing about the browser or its address.
    const events = await office.store.events.after(0, 100);
    const added = events.filter(({ type }) => type === "member.device_added");
    expect(added.map(({ data }) => Object.keys(data).toSorted())).toEqual([
      ["memberId", "name", "role", "sessionId"],
      ["memberId", "name", "role", "sessionId"],
    ]);
    expect(JSON.stringify(added)).not.toMatch(/192\.0\.2|Netscape|shelter\.org/);
  });

  test("is not reported for a browser that was signed in before such cookies existed, or for a new password", async () => {
    const mailing = await openMailingOffice();
    const { sent, start } = mailing;
    const node = start();
    await node.round();
    const { office } = mailing;
    const first = await office.signIn("viewer", { email: "ada@shelter.org" });
    const session = first.cookie();
    const older = office.browser();
    older.plant(session);
    const state = await older.api.get("/manage/v1/sign-in");
    expect(state.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-petstore-device=[\w-]{32}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=34560000$/,
      ),
    ]);
    expect((await older.api.get("/manage/v1/sign-in")).headers.getSetCookie()).toEqual([]);
    await older.api.delete(`${SESSIONS}/current`);
    const body = { email: "ada@shelter.org", password: PASSWORD };
    expect((await older.api.post(SESSIONS, body)).status).toBe(201);
    const bare = office.browser();
    bare.plant(older.cookie());
    const password = "nine calm herons wade";
    const changed = await bare.api.raw("PUT", "/manage/v1/me/password", {
      body: JSON.stringify({ current: PASSWORD, password }),
      headers: { "content-type": "application/json" },
    });
    expect([changed.status, changed.headers.getSetCookie().length]).toEqual([204, 2]);
    await node.round();
    expect(sent).toEqual([]);
  });

  test("is reported for marks that were made for another member, changed or invented", async () => {
    const { sent, node, office, email } = await withViewer();
    const bob = await office.signIn("staff", { email: "bob@shelter.org" });
    const own = await office.browser().api.post(SESSIONS, { email: bob.email, password: PASSWORD });
    const mark = /__Host-petstore-device=([^;]*)/.exec(own.headers.getSetCookie().join("\n"))?.[1];
    expect(mark).toMatch(/^[\w-]{32}$/);
    const cookies = [mark, `${mark?.slice(0, -1)}A`, "x".repeat(32), ".".repeat(5_000), ""];
    for (const cookie of cookies) {
      const headers = { cookie: `__Host-petstore-device=${cookie}` };
      const body = { email, password: PASSWORD };
      const reply = await office.browser().api.post(SESSIONS, body, { headers });
      const [, device = ""] = reply.headers.getSetCookie();
      expect([cookie, reply.status, device.startsWith("__Host-petstore-device=")]).toEqual([
        cookie,
        201,
        true,
      ]);
      expect(device.length).toBeLessThan(400);
    }
    await node.round();
    // Five an hour, whoever tries.
    expect(to(sent).filter((address) => address === email)).toHaveLength(5);
  });
});
