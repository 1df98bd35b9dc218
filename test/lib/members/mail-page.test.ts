import { describe, expect, test } from "bun:test";

import type { MailSwitchView } from "../../../lib/members/schemas.ts";
import { DASHBOARD, openMailingOffice, type MailingOffice } from "../../helpers/notices.ts";

const ME = "/manage/v1/me/mails";
const DOMAIN = { domainId: "dom_1", domain: "pets.example", projectId: "prj_1" };

/** An owner, the link of a mail to them, and a way to open it. */
async function opened(mailing: MailingOffice) {
  const { office, start } = mailing;
  const owner = await office.signIn("owner", { email: "owner@shelter.org" });
  const node = start();
  const [reader] = await node.notices.readers("domain_attention", office.accountId);
  const link = reader?.unsubscribe ?? "";
  const open = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(url);
    const answer = node.notices.page(new Request(url, init), pathname);
    if (answer === undefined) throw new Error("not served here");
    return answer;
  };
  const mailsOff = async () => (await office.memberStore.byId(owner.memberId))?.mailsOff ?? [];
  return { owner, node, link, open, mailsOff };
}

describe("the link of a mail", () => {
  test("shows a page, and changes nothing, when it is opened", async () => {
    const mailing = await openMailingOffice();
    const { link, open, mailsOff } = await opened(mailing);
    expect(link).toMatch(
      new RegExp(`^${DASHBOARD}/mails/[0-9A-Za-z]{12}-domain_attention-[\\w-]{22}$`),
    );
    for (const method of ["GET", "HEAD"]) {
      const page = await open(link, { method });
      expect(page.status).toBe(200);
      expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
      expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    }
    const text = await (await open(link)).text();
    expect(text).toContain('<html lang="en">');
    expect(text).toContain("owner@shelter.org gets these mails. Do you want to turn them off?");
    expect(text).toContain(`<form method="post" action="${new URL(link).pathname}">`);
    expect(await mailsOff()).toEqual([]);
  });

  test("turns off its kind with a POST, of the button or of a mail program, and on again", async () => {
    const mailing = await openMailingOffice();
    const { office, sent, happen } = mailing;
    const { node, link, open, mailsOff } = await opened(mailing);
    await node.round();
    // RFC 8058 §3.1: without cookies, with this body.
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const done = await open(link, { method: "POST", body });
    expect([done.status, await mailsOff()]).toEqual([200, ["domain_attention"]]);
    const text = await done.text();
    expect(text).toContain("owner@shelter.org gets no more mails about domains");
    expect(await (await open(link, { method: "POST" })).text()).toBe(text);
    expect(await (await open(link)).text()).toBe(text);
    await happen("domain.moved", DOMAIN);
    await happen("quota.threshold_reached", {
      percent: 80,
      limit: 1_000,
      resetsAt: 0,
      environment: "staging",
    });
    await node.round();
    expect(sent.map(({ subject }) => subject)).toEqual([
      "80 % der heutigen API-Anfragen sind verbraucht",
    ]);
    const action = /action="([^"]*)"/.exec(text)?.[1] ?? "";
    expect((await open(new URL(action, link).href, { method: "POST" })).status).toBe(200);
    expect(await mailsOff()).toEqual([]);
    expect(await node.notices.readers("domain_attention", office.accountId)).toHaveLength(1);
  });

  test("is in German for German readers", async () => {
    const mailing = await openMailingOffice();
    const { owner, link, open } = await opened(mailing);
    const german = await open(link, { headers: { "accept-language": "de-AT,en;q=0.5" } });
    expect(await german.text()).toContain('<html lang="de">');
    await owner.api.patch("/manage/v1/me", { language: "de" });
    const text = await (await open(link, { headers: { "accept-language": "en" } })).text();
    expect(text).toContain("Möchten Sie sie abschalten?");
  });

  test("works for its member and kind only, and reads no row for one that is not ours", async () => {
    const mailing = await openMailingOffice();
    const { owner, link, open, mailsOff } = await opened(mailing);
    let reads = 0;
    const { memberStore } = mailing.office;
    const byId = memberStore.byId.bind(memberStore);
    Object.assign(memberStore, { byId: (id: string) => (reads++, byId(id)) });
    const wrong = [
      link.replace("domain_attention", "quota_reached"),
      link.replace("domain_attention", "new_device"),
      link.replace("domain_attention", "invitation"),
      link.replace(/mails\/./, "mails/_"),
      `${link.slice(0, -1)}${link.endsWith("A") ? "B" : "A"}`,
      `${link}x`,
      `${DASHBOARD}/mails/`,
      `${DASHBOARD}/mails/${"x".repeat(8_000)}`,
    ];
    for (const url of wrong) {
      const page = await open(url, { method: "POST" });
      expect([url.slice(0, 200), page.status]).toEqual([url.slice(0, 200), 404]);
      expect(await page.text()).toContain("This link does not work");
    }
    expect(reads).toBe(0);
    expect(await mailsOff()).toEqual([]);
    expect((await open(link, { method: "PUT" })).status).toBe(405);
    await mailing.office
      .as("operator")
      .delete(`/manage/v1/accounts/${mailing.office.accountId}/members/${owner.memberId}`);
    expect((await open(link, { method: "POST" })).status).toBe(404);
  });

  test("is not served at other paths", async () => {
    const mailing = await openMailingOffice();
    const { node } = await opened(mailing);
    for (const path of ["/", "/mails", "/profile", "/mailsx/1"]) {
      expect(node.notices.page(new Request(DASHBOARD + path), path)).toBeUndefined();
    }
  });
});

describe("a member's own switches", () => {
  test("are those of their role, and each is turned alone", async () => {
    const { office } = await openMailingOffice();
    const kindsOf = async (role: "operator" | "owner" | "staff" | "viewer") => {
      const { api } = await office.signIn(role);
      const { body } = await api.get<readonly MailSwitchView[]>(ME);
      return body.map(({ kind, on }) => `${kind} ${on}`).join(", ");
    };
    expect(await kindsOf("operator")).toBe(
      "certificates_overdue true, backup_failed true, webhook_disabled true, new_device true",
    );
    expect(await kindsOf("owner")).toBe(
      "domain_attention true, certificates_overdue true, quota_reached true, webhook_disabled true, new_device true",
    );
    expect(await kindsOf("staff")).toBe(
      "domain_attention true, certificates_overdue true, new_device true",
    );
    expect(await kindsOf("viewer")).toBe("new_device true");
    const { api } = await office.signIn("viewer");
    const turned = await api.patch<readonly MailSwitchView[]>(ME, {
      kind: "new_device",
      on: false,
    });
    expect(turned.body).toEqual([{ kind: "new_device", on: false }]);
    expect((await api.patch(ME, { kind: "invitation", on: false })).status).toBe(400);
    expect((await api.patch(ME, { kind: "new_device", on: true })).body).toEqual([
      { kind: "new_device", on: true },
    ]);
    expect((await office.as("owner").get<{ code: string }>(ME)).body.code).toBe("session_required");
  });
});
