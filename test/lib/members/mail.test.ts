import { describe, expect, test } from "bun:test";

import { HOUR_MS } from "../../../lib/base/clock.ts";
import { refused } from "../../../lib/base/result.ts";
import { noMail, type Mail } from "../../../lib/mail/mail.ts";
import type { MeView } from "../../../lib/accounts/principal.ts";
import type { ResetLinkView } from "../../../lib/members/schemas.ts";
import { openOffice, PASSWORD, START, type Office } from "../../helpers/management.ts";
import { takenMail } from "../../helpers/members.ts";

interface Newcomer {
  readonly link: ResetLinkView;
  readonly mailed: boolean;
}
interface Refusal {
  readonly code: string;
  readonly message: string;
}

const peopleOf = ({ accountId }: Office): string => `/manage/v1/accounts/${accountId}/members`;
const REQUEST = "/manage/v1/reset/request";

/** Waits until the work that no response waits for has ended. */
async function settled({ members }: Office): Promise<void> {
  await members.close();
}

async function openWithMail(mail?: Mail, options: Parameters<typeof openOffice>[0] = {}) {
  const taken = takenMail();
  const office = await openOffice({ ...options, mail: mail ?? taken.mail });
  return { office, queued: taken.queued };
}

describe("an invitation", () => {
  test("is sent with the link that is shown, in the language of the request, and names who invites", async () => {
    const { office, queued } = await openWithMail();
    const owner = await office.signIn("owner", { email: "ada@shelter.org" });
    queued.length = 0;
    const grace = { email: "Grace@Shelter.org", name: "Grace", role: "staff" };
    const german = { headers: { "accept-language": "de-DE,de;q=0.9,en;q=0.8" } };
    const { body } = await owner.api.post<Newcomer>(peopleOf(office), grace, german);
    expect(body.mailed).toBe(true);
    expect(queued).toEqual([
      {
        kind: "invitation",
        to: "grace@shelter.org",
        language: "de",
        accountId: office.accountId,
        expiresAt: START + 24 * HOUR_MS,
        data: {
          name: "Grace",
          account: "Otters",
          inviter: "ada@shelter.org",
          url: body.link.url,
          expiresAt: START + 24 * HOUR_MS,
        },
      },
    ]);
  });

  test("to an operator names no account, and the body can choose the language", async () => {
    const { office, queued } = await openWithMail();
    const operator = office.as("operator");
    await operator.post("/manage/v1/members", { email: "eve@example.org", language: "de-AT" });
    await operator.post("/manage/v1/members", { email: "bob@example.org" });
    expect(queued.map(({ to, language }) => [to, language])).toEqual([
      ["eve@example.org", "de-AT"],
      ["bob@example.org", "en"],
    ]);
    expect(Object.keys(queued[0]?.data ?? {}).toSorted()).toEqual(["expiresAt", "name", "url"]);
    const wrong = { email: "zoe@example.org", language: "de\r\nBcc: x" };
    expect((await operator.post("/manage/v1/members", wrong)).status).toBe(400);
  });

  test("is not sent if the caller does not want it, or without a mail server; the link is shown", async () => {
    const { office, queued } = await openWithMail();
    const body = { email: "eve@example.org", role: "staff" };
    const quiet = await office
      .as("owner")
      .post<Newcomer>(peopleOf(office), { ...body, mail: false });
    expect([quiet.status, quiet.body.mailed, queued]).toEqual([201, false, []]);
    expect(quiet.body.link.url).toContain("#pet_reset_");
    const full: Mail = { enabled: true, enqueue: async () => refused("full") };
    for (const mail of [noMail, full]) {
      const { office: other } = await openWithMail(mail);
      const made = await other.as("owner").post<Newcomer>(peopleOf(other), body);
      expect([made.status, made.body.mailed]).toEqual([201, false]);
    }
  });
});

test("a new link of an owner is sent to members who never had a password, not to others", async () => {
  const { office, queued } = await openWithMail();
  const grace = await office.signIn("staff", { email: "grace@shelter.org" });
  const owner = office.as("owner");
  const people = peopleOf(office);
  const { body } = await owner.post<{ member: { id: string } }>(people, {
    email: "eve@shelter.org",
    role: "staff",
    mail: false,
  });
  queued.length = 0;
  type Link = ResetLinkView & { readonly mailed: boolean };
  const again = await owner.post<Link>(`${people}/${body.member.id}/reset-link`);
  expect([again.status, again.body.mailed]).toEqual([201, true]);
  expect(queued).toMatchObject([
    { kind: "invitation", to: "eve@shelter.org", data: { account: "Otters", url: again.body.url } },
  ]);
  const known = await owner.post<Link>(`${people}/${grace.memberId}/reset-link`);
  expect([known.status, known.body.mailed, queued.length]).toEqual([201, false, 1]);
});

test("the language that a member chose is that of their mails and invitations, until a request names another", async () => {
  const { office, queued } = await openWithMail();
  const owner = await office.signIn("owner", { email: "ada@shelter.org" });
  queued.length = 0;
  const me = await owner.api.patch<MeView>("/manage/v1/me", { language: "de" });
  expect([me.status, me.body.member?.language]).toEqual([200, "de"]);
  const renamed = await owner.api.patch<MeView>("/manage/v1/me", { name: "Ada" });
  expect(renamed.body.member).toMatchObject({ name: "Ada", language: "de" });
  const wrong = await owner.api.patch("/manage/v1/me", { language: "de\r\nBcc: x" });
  expect(wrong.status).toBe(400);
  const english = { headers: { "accept-language": "en" } };
  const people = peopleOf(office);
  await owner.api.post(people, { email: "one@shelter.org", role: "staff" }, english);
  const french = { email: "two@shelter.org", role: "staff", language: "fr" };
  await owner.api.post(people, french, english);
  await office.browser().api.post(REQUEST, { email: "ada@shelter.org", language: "en" });
  await settled(office);
  expect(queued.map(({ to, language }) => [to, language])).toEqual([
    ["one@shelter.org", "de"],
    ["two@shelter.org", "fr"],
    ["ada@shelter.org", "de"],
  ]);
  // Only the member sees the choice.
  const listed = await owner.api.get<readonly object[]>(people);
  expect(listed.body.every((one) => !("language" in one))).toBe(true);
});

describe("a request for a password link", () => {
  test("sends a link that works once, within an hour, and ends all sessions", async () => {
    const { office, queued } = await openWithMail();
    const { clock } = office;
    const known = await office.signIn("staff", { email: "grace@shelter.org" });
    queued.length = 0;
    const stranger = office.browser();
    const request = { email: " GRACE@shelter.org", language: "de" };
    const answer = await stranger.api.post(REQUEST, request);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    await settled(office);
    expect(queued).toMatchObject([
      {
        kind: "password_reset",
        to: "grace@shelter.org",
        language: "de",
        accountId: office.accountId,
        expiresAt: clock.now() + HOUR_MS,
        data: { name: "", expiresAt: clock.now() + HOUR_MS },
      },
    ]);
    const { url } = (queued[0]?.data ?? {}) as { url: string };
    expect(new URL(url).search).toBe("");
    const token = new URL(url).hash.slice(1);
    const body = { token, password: "seven calm otters sing" };
    expect((await stranger.api.post("/manage/v1/reset", body)).status).toBe(201);
    expect((await known.api.get("/manage/v1/me")).status).toBe(401);
    expect((await stranger.api.get<MeView>("/manage/v1/me")).status).toBe(200);
    const again = await office.browser().api.post<Refusal>("/manage/v1/reset", body);
    expect([again.status, again.body.code]).toEqual([401, "invalid_reset_token"]);

    await stranger.api.post(REQUEST, request);
    await settled(office);
    clock.advance(HOUR_MS);
    const late = new URL(((queued[1]?.data ?? {}) as { url: string }).url).hash.slice(1);
    const expired = await office
      .browser()
      .api.post<Refusal>("/manage/v1/reset/check", { token: late });
    expect([expired.status, expired.body.code]).toEqual([401, "invalid_reset_token"]);
  });

  test("is answered alike, and before the address is looked up, whether it is known or not", async () => {
    const looked: string[] = [];
    const gate = Promise.withResolvers<void>();
    let waiting = false;
    const { office, queued } = await openWithMail(undefined, {
      memberStore: (kept) => ({
        ...kept,
        byEmail: async (email) => {
          looked.push(email);
          if (waiting) await gate.promise;
          return kept.byEmail(email);
        },
      }),
    });
    await office.signIn("staff", { email: "grace@shelter.org" });
    queued.length = 0;
    looked.length = 0;
    waiting = true;
    const answers = [];
    for (const email of ["grace@shelter.org", "nobody@shelter.org", "not an address", ""]) {
      const { status, text, headers } = await office.browser().api.post(REQUEST, { email });
      headers.delete("x-request-id");
      answers.push({
        status,
        text,
        headers: [...headers].filter(([name]) => !/^(x-)?ratelimit/i.test(name)),
      });
    }
    // All are answered while the first look-up has not ended.
    expect(queued).toEqual([]);
    for (const answer of answers) expect(answer).toEqual(answers[0]!);
    expect(answers[0]?.status).toBe(204);
    gate.resolve();
    await settled(office);
    expect(looked).toHaveLength(4);
    expect(queued.map(({ to }) => to)).toEqual(["grace@shelter.org"]);
  });

  test("keeps the earlier link if no mail is queued", async () => {
    const { office } = await openWithMail({
      enabled: true,
      enqueue: async () => refused("too_many"),
    });
    const { body } = await office
      .as("owner")
      .post<Newcomer>(peopleOf(office), { email: "grace@shelter.org", role: "staff" });
    await office.browser().api.post(REQUEST, { email: "grace@shelter.org" });
    await settled(office);
    const token = new URL(body.link.url).hash.slice(1);
    const used = await office.browser().api.post("/manage/v1/reset", { token, password: PASSWORD });
    expect(used.status).toBe(201);
  });

  test("is limited by client address, for known and unknown addresses", async () => {
    const { office } = await openWithMail();
    const from = (address: string) => office.browser({ address });
    const statuses: number[] = [];
    for (let index = 0; index < 6; index++) {
      const answer = await from("192.0.2.7").api.post(REQUEST, { email: `a${index}@example.org` });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
    const other = await from("192.0.2.8").api.post(REQUEST, { email: "a@example.org" });
    expect(other.status).toBe(204);
    const refusedOnes = await from("192.0.2.7").api.post<Refusal>(REQUEST, {
      email: "a@example.org",
    });
    expect(refusedOnes.body.message).toMatch(
      /^Too many requests for mails\. Try again in \d+ s\.$/,
    );
    expect(refusedOnes.headers.get("retry-after")).toMatch(/^\d+$/);
  });

  test("is refused when too many are under way", async () => {
    const gate = Promise.withResolvers<void>();
    const { office } = await openWithMail(undefined, {
      memberStore: (kept) => ({
        ...kept,
        byEmail: async () => {
          await gate.promise;
          return undefined;
        },
      }),
    });
    const statuses = new Set<number>();
    for (let index = 0; index < 101; index++) {
      const browser = office.browser({ address: `192.0.2.${index}` });
      const { status } = await browser.api.post(REQUEST, { email: "a@example.org" });
      statuses.add(status);
      if (index === 99) expect([...statuses]).toEqual([204]);
    }
    expect([...statuses]).toEqual([204, 503]);
    gate.resolve();
    await settled(office);
  });

  test("of a member whose account was deleted sends nothing", async () => {
    const { office, queued } = await openWithMail();
    await office.signIn("staff", { email: "grace@shelter.org" });
    queued.length = 0;
    await office.as("operator").delete(`/manage/v1/accounts/${office.accountId}`);
    await office.browser().api.post(REQUEST, { email: "grace@shelter.org" });
    await settled(office);
    expect(queued).toEqual([]);
  });

  test("is not offered without a mail server, and the sign-in page can tell", async () => {
    const { office } = await openWithMail(noMail);
    const { api } = office.browser();
    const answer = await api.post<Refusal>(REQUEST, { email: "grace@shelter.org" });
    expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    expect((await api.get<{ mail: boolean }>("/manage/v1/sign-in")).body.mail).toBe(false);
    const { office: sending } = await openWithMail();
    const state = await sending.browser().api.get<{ mail: boolean }>("/manage/v1/sign-in");
    expect(state.body.mail).toBe(true);
  });
});
