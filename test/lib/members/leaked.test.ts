import { expect, test } from "bun:test";

import { openOffice, type Office } from "../../helpers/management.ts";

interface Told {
  readonly code: string;
  readonly message: string;
}

const leaked = { ranks: () => new Map([["metallica", 521]]) };

/** Sets the password of a new member of the shelter "Otters" with a link. Returns the result. */
async function choose(office: Office, passwords: readonly string[]): Promise<readonly unknown[]> {
  const { body } = await office
    .as("owner")
    .post<{ readonly link: { readonly url: string } }>(
      `/manage/v1/accounts/${office.accountId}/members`,
      { email: "grace@example.org", role: "staff" },
    );
  const token = new URL(body.link.url).hash.slice(1);
  const outcomes: unknown[] = [];
  for (const password of passwords) {
    const reply = await office.browser().api.post<Told>("/manage/v1/reset", { token, password });
    outcomes.push(reply.status === 201 ? 201 : reply.body.code);
    expect(reply.text).not.toContain(password);
  }
  return outcomes;
}

test("a leaked password is refused with its own code, and leaves the link valid", async () => {
  const office = await openOffice({ leaked });
  const passwords = ["metallica2024!", "M3tallica-1999", "nine shy hedgehogs sleep"];
  expect(await choose(office, passwords)).toEqual(["leaked_password", "leaked_password", 201]);
});

test("the shelter's name is no password, with or without digits", async () => {
  const office = await openOffice();
  await office.as("owner").patch(`/manage/v1/accounts/${office.accountId}`, {
    name: "Otterheim Nord",
  });
  expect(await choose(office, ["Otterheim-Nord-2026", "otterheim-123456"])).toEqual([
    "weak_password",
    "weak_password",
  ]);
});

test("the list is loaded only for new passwords that pass the rule", async () => {
  let loads = 0;
  const office = await openOffice({
    leaked: {
      ranks: () => {
        loads++;
        return new Map();
      },
    },
  });
  await choose(office, ["short", "password1234"]);
  expect(loads).toBe(0);
  const member = await office.signIn("viewer");
  expect(loads).toBe(1);
  await member.api.post("/manage/v1/sessions", { email: member.email, password: "a guess" });
  expect(loads).toBe(1);
});
