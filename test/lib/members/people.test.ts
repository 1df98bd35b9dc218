import { describe, expect, test } from "bun:test";

import type { MemberView, ResetLinkView } from "../../../lib/members/schemas.ts";
import { openOffice, PASSWORD, type Office } from "../../helpers/management.ts";

interface Told {
  readonly code: string;
}
interface Newcomer {
  readonly member: MemberView;
  readonly link: ResetLinkView;
}

const peopleOf = ({ accountId }: Office): string => `/manage/v1/accounts/${accountId}/members`;

describe("a new member", () => {
  test("is pending until they set a password with their link", async () => {
    const office = await openOffice();
    const owner = office.as("owner");
    const body = { email: "Grace@Shelter.org ", name: " Grace ", role: "staff" };
    const added = await owner.post<Newcomer>(peopleOf(office), body);
    expect(added.status).toBe(201);
    expect(added.headers.get("cache-control")).toBe("no-store");
    const created: unknown = added.body;
    expect(created).toEqual({
      member: {
        id: expect.stringMatching(/^mem_\w{12}$/),
        email: "grace@shelter.org",
        name: "Grace",
        role: "staff",
        accountId: office.accountId,
        createdAt: "2026-11-18T00:00:00.000Z",
        passkeys: 0,
        status: "pending",
      },
      link: {
        url: expect.stringMatching(/^https:\/\/petstore\.test\/reset#pet_reset_\w+$/),
        expiresAt: "2026-11-19T00:00:00.000Z",
      },
      mailed: true,
    });
    const token = new URL(added.body.link.url).hash.slice(1);
    const browser = office.browser();
    const checked = await browser.api.post<object>("/manage/v1/reset/check", { token });
    expect(checked.body).toEqual({
      email: "grace@shelter.org",
      name: "Grace",
      first: true,
      expiresAt: "2026-11-19T00:00:00.000Z",
    });
    expect((await browser.api.post("/manage/v1/reset", { token, password: PASSWORD })).status).toBe(
      201,
    );
    const listed = await owner.get<readonly MemberView[]>(peopleOf(office));
    expect(listed.body).toMatchObject([
      { status: "active", lastSeenAt: "2026-11-18T00:00:00.000Z" },
    ]);
    expect(listed.text).not.toContain("hash");
  });

  test("has an email address that no member of any account has", async () => {
    const office = await openOffice();
    const { body: other } = await office
      .as("operator")
      .post<{ id: string }>("/manage/v1/accounts", {
        name: "Foxes",
      });
    await office.signIn("owner", { email: "grace@shelter.org" });
    const body = { email: "GRACE@shelter.org", role: "viewer" };
    for (const path of [peopleOf(office), `/manage/v1/accounts/${other.id}/members`]) {
      const reply = await office.as("operator").post<Told>(path, body);
      expect([reply.status, reply.body.code]).toEqual([409, "member_exists"]);
    }
    const reply = await office.as("operator").post<Told>("/manage/v1/members", {
      email: "grace@shelter.org",
    });
    expect(reply.body.code).toBe("member_exists");
  });

  test("is one of at most a hundred in an account", async () => {
    const office = await openOffice();
    const add = (who: number) =>
      office.as("owner").post<Told>(peopleOf(office), { email: `${who}@x.org`, role: "viewer" });
    for (let who = 0; who < 100; who++) expect((await add(who)).status).toBe(201);
    const over = await add(100);
    expect([over.status, over.body.code]).toEqual([409, "limit_reached"]);
  });

  test("is refused with an invalid email address or name", async () => {
    const office = await openOffice();
    const add = async (body: object) =>
      (await office.as("owner").post<Told>(peopleOf(office), { role: "viewer", ...body })).body
        .code;
    expect(await add({ email: "grace" })).toBe("invalid_value");
    expect(await add({ email: "g@x.org", name: "x".repeat(121) })).toBe("invalid_value");
    expect(await add({ email: "g@x.org", role: "operator" })).toBe("invalid_value");
    expect(await add({})).toBe("missing_field");
  });
});

describe("a member's role", () => {
  test("changes at once in their sessions", async () => {
    const office = await openOffice();
    const { api, memberId } = await office.signIn("viewer");
    const pets = `/manage/v1/accounts/${office.accountId}/production/categories`;
    expect((await api.post(pets, { name: "Otters" })).status).toBe(403);
    const path = `${peopleOf(office)}/${memberId}`;
    expect((await office.as("owner").patch(path, { role: "staff" })).body).toMatchObject({
      role: "staff",
    });
    expect((await api.post(pets, { name: "Otters" })).status).toBe(201);
  });
});

describe("an operator", () => {
  test("can be removed unless they are the last one who can sign in", async () => {
    const office = await openOffice();
    const [ada, grace] = [await office.signIn("operator"), await office.signIn("operator")];
    const remove = async (id: string) => {
      const reply = await office.as("operator").delete<Told>(`/manage/v1/members/${id}`);
      return reply.status === 204 ? 204 : [reply.status, reply.body.code];
    };
    expect(await remove(ada.memberId)).toBe(204);
    expect((await ada.api.get("/manage/v1/me")).status).toBe(401);
    expect(await remove(grace.memberId)).toEqual([409, "last_operator"]);
    const { body } = await office
      .as("operator")
      .post<Newcomer>("/manage/v1/members", { email: "pending@example.org" });
    expect(await remove(grace.memberId)).toEqual([409, "last_operator"]);
    expect(await remove(body.member.id)).toBe(204);
  });

  test("is not found among the members of an account, nor the reverse", async () => {
    const office = await openOffice();
    const [operator, owner] = [await office.signIn("operator"), await office.signIn("owner")];
    const as = office.as("operator");
    expect((await as.delete(`${peopleOf(office)}/${operator.memberId}`)).status).toBe(404);
    expect((await as.delete(`/manage/v1/members/${owner.memberId}`)).status).toBe(404);
    const path = `/manage/v1/members/${owner.memberId}/reset-link`;
    expect((await as.post(path)).status).toBe(404);
  });

  test("finds a member of any account by email address", async () => {
    const office = await openOffice();
    const { email, memberId } = await office.signIn("viewer");
    const find = async (text: string) =>
      (await office.as("operator").get(`/manage/v1/members?email=${text}`)).body;
    expect(await find(encodeURIComponent(email.toUpperCase()))).toMatchObject([{ id: memberId }]);
    expect(await find("nobody@example.org")).toEqual([]);
  });
});

describe("the caller's own", () => {
  test("name appears as the actor, or the email address without a name", async () => {
    const office = await openOffice();
    const { api, email } = await office.signIn("viewer");
    const me = async () => (await api.get<{ name: string }>("/manage/v1/me")).body.name;
    expect(await me()).toBe(email);
    const renamed = await api.patch("/manage/v1/me", { name: " Grace " });
    expect(renamed.body).toMatchObject({ name: "Grace", member: { name: "Grace" } });
    expect(await me()).toBe("Grace");
    await api.patch("/manage/v1/me", { name: "" });
    expect(await me()).toBe(email);
    expect((await api.patch<Told>("/manage/v1/me", { name: "\u0000" })).status).toBe(400);
  });

  test("sessions are listed with address and browser, and without secrets", async () => {
    const office = await openOffice();
    const { api, email, sessionId } = await office.signIn("viewer");
    const phone = office.browser({ address: "203.0.113.9", userAgent: `Phone ${"x".repeat(500)}` });
    office.clock.advance(1_000);
    await phone.api.post("/manage/v1/sessions", { email, password: PASSWORD });
    const listed = await api.get<readonly object[]>("/manage/v1/sessions");
    expect(listed.body).toEqual([
      {
        id: expect.any(String),
        current: false,
        createdAt: "2026-11-18T00:00:01.000Z",
        lastSeenAt: "2026-11-18T00:00:01.000Z",
        expiresAt: "2026-12-18T00:00:01.000Z",
        address: "203.0.113.9",
        userAgent: `Phone ${"x".repeat(394)}`,
      },
      expect.objectContaining({ id: sessionId, current: true, userAgent: "Netscape" }),
    ]);
  });

  test("resources do not exist for tokens", async () => {
    const office = await openOffice();
    const owner = office.as("owner");
    for (const path of ["/manage/v1/sessions", "/manage/v1/passkeys"]) {
      const reply = await owner.get<Told>(path);
      expect([reply.status, reply.body.code]).toEqual([403, "session_required"]);
    }
    expect((await owner.delete<Told>("/manage/v1/sessions/current")).status).toBe(403);
    expect((await owner.get("/manage/v1/me")).body).not.toHaveProperty("member");
  });

  test("sessions are at most fifty: one more ends the oldest", async () => {
    const office = await openOffice();
    const { api, email } = await office.signIn("viewer");
    for (let count = 0; count < 50; count++) {
      office.clock.advance(60_000);
      await office.browser().api.post("/manage/v1/sessions", { email, password: PASSWORD });
    }
    expect((await api.get("/manage/v1/me")).status).toBe(401);
    expect(await office.memberStore.sessions((await memberOf(office, email)).id)).toHaveLength(50);
  });
});

async function memberOf(office: Office, email: string): Promise<{ readonly id: string }> {
  const member = await office.memberStore.byEmail(email);
  if (member === undefined) throw new Error(`No member has ${email}.`);
  return member;
}
