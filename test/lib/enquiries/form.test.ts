import { describe, expect, test } from "bun:test";

import { HOUR_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { createEnquiries } from "../../../lib/enquiries/index.ts";
import { memoryEnquiryStore } from "../../../lib/enquiries/storage/memory-enquiry-store.ts";
import { MAX_PER_DAY } from "../../../lib/enquiries/model.ts";
import { done } from "../../../lib/base/result.ts";
import type { Mail, NewMail } from "../../../lib/mail/mail.ts";
import { createNotices } from "../../../lib/members/create-notices.ts";
import { sqlMemberStore } from "../../../lib/members/index.ts";
import {
  createPublishing,
  siteEmail,
  type SiteChange,
  sqlProjectStore,
  type Publishing,
} from "../../../lib/publishing/index.ts";
import { memoryBlobs } from "../../../lib/publishing/memory-blobs.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { openShelter, START } from "../../../testing/shelter.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { manualClock } from "../../helpers/clock.ts";
import { must } from "../../helpers/outcome.ts";
import { deskOver, openShop } from "../../helpers/storefront.ts";

const ORIGIN = "http://tails.example.org";
const FORM = "/animals/1/enquiry";

/** A site with an animal whose visitors can ask about it. */
async function openSite({ language = "en", email = "" } = {}) {
  const clock = manualClock(START);
  const sql = await bunSqliteSql({ path: ":memory:", clock });
  const shelter = await openShelter(async () => sqlStore({ sql, clock }));
  const { store, account, production } = shelter;
  const enquiryStore = memoryEnquiryStore({ store });
  const mails: NewMail[] = [];
  let broken = false;
  const mail: Mail = {
    enabled: true,
    enqueue: async (one) => {
      if (broken) throw new Error("The process is killed.");
      mails.push(one);
      return done(undefined);
    },
  };
  const enquiries = createEnquiries({
    store,
    enquiryStore,
    encryptionKey: new Uint8Array(32).fill(7),
    clock,
    addressOf: (accountId, id) => `https://pets.test/accounts/${accountId}/enquiries?enquiry=${id}`,
    ownersOf: () => Promise.resolve(["owner@example.org"]),
    mail,
  });
  const publishing: Publishing = createPublishing({
    store,
    projectStore: await sqlProjectStore({ sql, clock }),
    blobs: memoryBlobs({ clock }),
    enquiries: enquiries.desk,
    clock,
  });
  const { projects } = publishing;
  const project = must(
    await projects.create({ accountId: account.id, name: "Happy Tails", slug: "tails" }),
  );
  const site = { language, ...(email === "" ? {} : { email }) };
  must(await projects.update(project.id, { site }));
  must(await projects.deploys.create(project.id, { archive: "starter", author: "test" }));
  await shelter.addPet({ name: "Rex & <Max>" });
  let address = "192.0.2.1";
  const visit = async (path: string, init: RequestInit = {}): Promise<Response> =>
    publishing.visit(new Request(`${ORIGIN}${path}`, init), {
      slug: "tails",
      origin: ORIGIN,
      addressOf: (slug) => `http://${slug}.example.org`,
      address: () => address,
    });
  const stampIn = (page: string): string => / name="stamp" value="([^"]*)"/.exec(page)?.[1] ?? "";
  /** Opens the form, and returns a function that sends it. */
  const form = async () => {
    const [send] = await forms(1);
    if (send === undefined) throw new Error("There is no form.");
    return send;
  };
  const forms = async (count: number) => {
    const pages: string[] = [];
    while (pages.length < count) pages.push(await (await visit(FORM)).text());
    await clock.advance(5 * SECOND_MS);
    return pages.map(
      (page) =>
        (
          more: Readonly<Record<string, string>> = {},
          headers: Readonly<Record<string, string>> = {},
        ) =>
          visit(FORM, {
            method: "POST",
            headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
            body: new URLSearchParams({ ...typed, stamp: stampIn(page), ...more }).toString(),
          }),
    );
  };
  return {
    ...shelter,
    clock,
    visit,
    form,
    set: async (change: SiteChange) => must(await projects.update(project.id, { site: change })),
    forms,
    stampIn,
    mails,
    breakMail: (now: boolean) => {
      broken = now;
    },
    /** Returns a function that lets the job read new events. */
    startNotices: async () => {
      const notices = createNotices({
        store,
        memberStore: await sqlMemberStore({ sql, clock }),
        mail,
        dashboardAddress: "https://pets.test",
        encryptionKey: new Uint8Array(32).fill(7),
        onEnquiry: (catalogueId, id) =>
          enquiries.ensureMail(catalogueId, id, (projectId) => siteEmail(projects, projectId)),
        clock,
      });
      return async (): Promise<void> => {
        await clock.advance(5 * SECOND_MS);
        await notices.jobs.tick();
      };
    },
    answer: async () => {
      const [from] = await enquiryStore.list(production, {}, { limit: 1, order: "asc" });
      if (from === undefined) throw new Error("There is no enquiry.");
      const change = { kind: "enquiry.update", from, to: { state: "answered" }, at: 0 } as const;
      expect((await enquiryStore.commit([change], { kind: "system" })).ok).toBe(true);
    },
    from: (other: string) => {
      address = other;
    },
    kept: async () => enquiryStore.list(production, {}, { limit: 1_000, order: "asc" }),
  };
}

const typed = {
  name: "Kim <b>Petersen</b>",
  email: "Kim@Example.com",
  phone: "",
  message: "\r\n First line\r\nsecond <script>alert(1)</script> ",
  consent: "yes",
};

describe("a mail about an enquiry", () => {
  test.each(["shelter@example.org", ""])(
    "is queued later if the process is killed before it is queued (site: '%s')",
    async (email) => {
      const { form, mails, breakMail, startNotices } = await openSite({ email });
      const look = await startNotices();
      await look();
      breakMail(true);
      const send = await form();
      expect((await send()).status).toBe(303);
      await look();
      expect(mails).toEqual([]);
      breakMail(false);
      await look();
      await look();
      expect(mails).toMatchObject([
        {
          to: email === "" ? "owner@example.org" : email,
          data: { name: typed.name, animal: "Rex & <Max>" },
        },
      ]);
    },
  );

  test("has the same key and contents when it is queued again, and none follows an answer", async () => {
    const { form, mails, answer, startNotices } = await openSite();
    const look = await startNotices();
    await look();
    await (
      await form()
    )();
    await look();
    const [first, second] = mails;
    expect(mails).toHaveLength(2);
    expect(second).toEqual(first);
    await answer();
    const again = await startNotices();
    await again();
    expect(mails).toHaveLength(2);
    await (
      await form()
    )({ message: "Another one" });
    expect(mails).toHaveLength(3);
  });
});

describe("the enquiry form", () => {
  test("is on a page of its own, which no cache may keep, and the animal's page leads to it", async () => {
    const { visit } = await openSite();
    const animal = await visit("/animals/1");
    expect(await animal.text()).toContain(`href="${FORM}"`);
    // The page of the animal has no stamp, so its ETag stays.
    const again = await visit("/animals/1");
    expect(again.headers.get("etag")).toBe(animal.headers.get("etag") ?? "");
    const [first, second] = [await visit(FORM), await visit(FORM)];
    expect(first.status).toBe(200);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(first.headers.get("etag")).toBeNull();
    expect(first.headers.get("content-security-policy")).toContain("form-action 'self'");
    const [one, two] = [await first.text(), await second.text()];
    expect(one).toContain("Ask about Rex &amp; &lt;Max&gt;");
    expect(one).toContain('name="robots" content="noindex"');
    expect(one === two).toBe(false);
    expect(one).not.toContain("<script");
    expect((await visit(FORM, { method: "HEAD" })).status).toBe(200);
  });

  test("stores what was sent as plain text, and leads to another page", async () => {
    const { form, kept, visit, production } = await openSite();
    const sent = await (await form())();
    expect([sent.status, sent.headers.get("location")]).toEqual([303, `${FORM}/sent`]);
    expect(sent.headers.get("cache-control")).toBe("no-store");
    expect(await kept()).toMatchObject([
      {
        id: 1,
        catalogueId: production,
        petId: 1,
        petName: "Rex & <Max>",
        site: "Happy Tails",
        language: "en",
        name: "Kim <b>Petersen</b>",
        email: "kim@example.com",
        message: "First line\nsecond <script>alert(1)</script>",
        state: "new",
      },
    ]);
    const thanks = await visit(`${FORM}/sent`);
    expect([thanks.status, thanks.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await thanks.text()).toContain("Thank you");
  });

  test("sent twice by a double click is one enquiry; a changed one is another", async () => {
    const { form, kept } = await openSite();
    const send = await form();
    const both = await Promise.all([send(), send()]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect(await kept()).toHaveLength(1);
    await send({ message: "I forgot: do you open on Sunday?" });
    expect(await kept()).toHaveLength(2);
  });

  test("keeps everything that was typed when a field is wrong, and says which", async () => {
    const { form, kept } = await openSite();
    const send = await form();
    for (const [wrong, field, fault] of [
      [{ name: " " }, "name", "Enter your name."],
      [{ name: "\u200B" }, "name", "Enter your name."],
      [{ name: "x".repeat(121) }, "name", "at most 120"],
      [{ email: "kim" }, "email", "such as kim@example.com"],
      [{ email: "a@b.c\r\nBcc: all@example.com" }, "email", "such as kim@example.com"],
      [{ phone: "1".repeat(41) }, "phone", "at most 40"],
      [{ message: "" }, "message", "Write a message."],
      [{ message: "x".repeat(4_001) }, "message", "at most 4,000"],
      [{ message: "a\u202Eb" }, "message", "at most 4,000"],
      [{ consent: "" }, "consent", "tick this box"],
    ] as const) {
      const reply = await send(wrong);
      const page = await reply.text();
      expect([field, reply.status]).toEqual([field, 422]);
      expect(page).toContain(`aria-describedby="${field}-fault"`);
      expect(page).toContain(`<span class="fault" id="${field}-fault">`);
      expect(page).toContain(fault);
      if (field !== "email") expect(page).toContain('value="Kim@Example.com"');
      if (field !== "message") {
        expect(page).toContain("second &lt;script&gt;alert(1)&lt;/script&gt;");
      }
      expect(page).not.toContain("<script");
    }
    expect(await kept()).toEqual([]);
    expect((await send({ phone: "\u200B " })).status).toBe(303);
    expect((await kept())[0]).not.toHaveProperty("phone");
  });

  test("asks again, with what was typed, when it was sent too quickly, is too old, or forged", async () => {
    const { form, visit, kept, clock, stampIn } = await openSite();
    const post = (stamp: string) =>
      visit(FORM, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ ...typed, stamp }).toString(),
      });
    const stamp = stampIn(await (await visit(FORM)).text());
    const quick = await post(stamp);
    const page = await quick.text();
    expect([quick.status, stampIn(page)]).toEqual([422, stamp]);
    expect(page).toContain('value="Kim@Example.com"');
    expect(page).toContain(" checked");
    await clock.advance(5 * SECOND_MS);
    // Of another animal, changed, and none.
    for (const other of [`${stamp}x`, stamp.replace(/^./, "a"), "", "a".repeat(10_000)]) {
      const reply = await post(other);
      expect([other.length, reply.status]).toEqual([other.length, 422]);
      expect(stampIn(await reply.text())).not.toBe(other);
    }
    expect((await post(stamp)).status).toBe(303);
    const send = await form();
    await clock.advance(13 * HOUR_MS);
    const old = await send();
    expect(old.status).toBe(422);
    const fresh = stampIn(await old.text());
    await clock.advance(5 * SECOND_MS);
    expect((await post(fresh)).status).toBe(303);
    const trapped = await (await form())({ extra: "buy now" });
    expect([trapped.status, (await trapped.text()).includes("buy now")]).toEqual([422, false]);
    expect(await kept()).toHaveLength(2);
  });

  test("limits a client address, and a site within a day", async () => {
    const { forms, kept, from, clock } = await openSite();
    const [first, ...others] = await forms(MAX_PER_DAY + 6);
    const send = async (more: { readonly message: string }) => {
      const next = others.shift();
      if (next === undefined) throw new Error("There is no form left.");
      return next(more);
    };
    const statuses = [(await first?.({ message: "Question 1" }))?.status];
    for (let count = 1; count < 7; count++) {
      statuses.push((await send({ message: `Question ${count}` })).status);
    }
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 429]);
    const refused = await send({ message: "Still here" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("Still here");
    // What was stored is not refused when it is sent again.
    expect((await first?.({ message: "Question 1" }))?.status).toBe(303);
    for (let count = 5; count < MAX_PER_DAY; count++) {
      from(`198.51.100.${count}`);
      expect((await send({ message: `Question ${count}` })).status).toBe(303);
    }
    from("203.0.113.9");
    const full = await send({ message: "One more" });
    expect([full.status, (await kept()).length]).toEqual([429, MAX_PER_DAY]);
    await clock.advance(24 * HOUR_MS);
    const [tomorrow] = await forms(1);
    expect((await tomorrow?.({ message: "Tomorrow" }))?.status).toBe(303);
  });

  test("is sent at most three times an hour, whatever is changed and from wherever", async () => {
    const { form, kept, from, clock } = await openSite();
    const send = await form();
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) {
      from(`198.51.100.${count}`);
      statuses.push((await send({ message: `Question ${count}` })).status);
    }
    expect(statuses).toEqual([303, 303, 303, 429, 429, 429]);
    from("203.0.113.9");
    expect((await (await form())({ message: "Another form" })).status).toBe(303);
    await clock.advance(HOUR_MS);
    expect((await send({ message: "Later" })).status).toBe(303);
    expect(await kept()).toHaveLength(5);
  });

  test("is refused from a page of another site", async () => {
    const { form, kept } = await openSite();
    const send = await form();
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "http://tails.example.org.evil.example" },
      { origin: "http://tails.example.org:8080" },
      { origin: "nonsense" },
      { origin: "null", "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const reply = await send({}, headers);
      expect([headers, reply.status]).toEqual([headers, 403]);
    }
    expect(await kept()).toEqual([]);
    // The page of the form hides its address, so that browsers send null.
    const own = { origin: "null", "sec-fetch-site": "same-origin" };
    expect((await send({}, own)).status).toBe(303);
    expect(
      (await send({ message: "By HTTPS" }, { origin: "https://tails.example.org" })).status,
    ).toBe(303);
  });

  test("takes what was written for an animal that has found a home meanwhile, and opens for no other", async () => {
    const { form, visit, kept, store, production, commit } = await openSite();
    const send = await form();
    const pet = await store.pets.byId(production, 1);
    if (pet === undefined) throw new Error("The animal is gone.");
    const to = { ...pet, status: "sold" } as const;
    await commit({ kind: "pet.update", catalogueId: production, from: pet, to, at: START });
    expect((await visit(FORM)).status).toBe(404);
    expect((await visit("/animals/9/enquiry")).status).toBe(404);
    expect((await send()).status).toBe(303);
    expect(await kept()).toHaveLength(1);
    // Without a stamp, nothing shows whether the animal exists.
    const body = new URLSearchParams(typed).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (const path of [FORM, "/animals/9/enquiry"]) {
      expect((await visit(path, { method: "POST", headers, body })).status).toBe(404);
    }
  });

  test("refuses what is no form, what is too long, and other pages", async () => {
    const { visit } = await openSite();
    const post = async (path: string, type: string, body: string): Promise<number> =>
      (await visit(path, { method: "POST", headers: { "content-type": type }, body })).status;
    const form = "application/x-www-form-urlencoded";
    expect(await post(FORM, "application/json", "{}")).toBe(415);
    expect(await post(FORM, "multipart/form-data; boundary=x", "--x--")).toBe(415);
    expect(await post(FORM, form, "a".repeat(65_537))).toBe(413);
    for (const path of ["/", "/animals/1", `${FORM}/sent`, "/animals/01/enquiry"]) {
      expect([path, await post(path, form, "a=b")]).toEqual([path, 405]);
    }
  });

  test("is absent where the site file turns it off, and where a program serves no desk", async () => {
    const store = memoryStore();
    const off = { storefront: { enquiries: false } } as const;
    const shops = [
      await openShop({ siteFile: off }, { store, enquiries: deskOver(store) }),
      await openShop(),
    ];
    for (const { shelter, storefront, site, page } of shops) {
      await shelter.addPet({ name: "Rex" });
      expect(await page("/animals/1")).not.toContain("enquiry");
      expect(storefront.takesEnquiries?.(site)).toBe(false);
    }
  });

  test("is absent while the site's settings turn it off, unless the site file turns it on", async () => {
    const { visit, form, set } = await openSite();
    const send = await form();
    await set({ enquiries: "off" });
    expect(await (await visit("/animals/1")).text()).not.toContain("enquiry");
    expect([(await visit(FORM)).status, (await send()).status]).toEqual([404, 405]);
    await set({ enquiries: null });
    expect(await (await visit("/animals/1")).text()).toContain(FORM);
    const store = memoryStore();
    const on = { storefront: { enquiries: true } } as const;
    const shop = await openShop(
      { siteFile: on, project: { site: { enquiries: "off" } } },
      { store, enquiries: deskOver(store) },
    );
    expect(shop.storefront.takesEnquiries?.(shop.site)).toBe(true);
  });

  test("speaks the language of the site, and names how long enquiries are kept", async () => {
    for (const [language, title, days] of [
      ["de", "Nach Rex", "365 Tagen"],
      ["es", "Preguntar por Rex", "365 días"],
      ["fr", "Poser une question sur Rex", "365 jours"],
    ] as const) {
      const { visit } = await openSite({ language });
      const page = await (await visit(FORM)).text();
      expect(page).toContain(`<html lang="${language}"`);
      expect(page).toContain(title);
      expect(page).toContain(days);
    }
  });
});

describe("the mail about an enquiry", () => {
  test("goes to the site's address, else to the owners, once", async () => {
    for (const [email, to] of [
      ["hello@tails.org", "hello@tails.org"],
      ["", "owner@example.org"],
    ] as const) {
      const { form, mails, account } = await openSite({ email });
      const send = await form();
      await send();
      await send();
      expect(mails).toMatchObject([
        {
          kind: "enquiry",
          to,
          accountId: account.id,
          data: {
            site: "Happy Tails",
            animal: "Rex & <Max>",
            email: "kim@example.com",
            url: `https://pets.test/accounts/${account.id}/enquiries?enquiry=1`,
          },
        },
      ]);
    }
  });
});
