import { expect, test } from "bun:test";

import type { OverdueNotice } from "../../domains/index.ts";
import { done, refused } from "../../lib/base/result.ts";
import type { MailRefusal, NewMail } from "../../lib/mail/mail.ts";
import { overdueMails, type OverdueMailOptions } from "../../server/overdue-mail.ts";

const notice: OverdueNotice = {
  stage: 2,
  overdue: 3,
  expired: 0,
  firstExpiresAt: 1_795_000_000_000,
  names: ["pets.example.org"],
};

/** Mails as an installation queues them; members are `email role`, and a language if they chose one, by account. */
function mailing(
  people: Readonly<Record<string, readonly string[]>>,
  {
    refusal,
    acmeEmail,
    enabled = true,
  }: { refusal?: MailRefusal; acmeEmail?: string; enabled?: boolean } = {},
) {
  const queued: NewMail[] = [];
  const options = {
    mail: {
      enabled,
      enqueue: async (mail: NewMail) => {
        queued.push(mail);
        return refusal === undefined ? done(undefined) : refused(refusal);
      },
    },
    memberStore: {
      list: async (accountId: string | undefined) =>
        (people[accountId ?? "operators"] ?? []).map((person) => {
          const [email = "", role = "", language] = person.split(" ");
          return { email, role, ...(language === undefined ? {} : { language }) };
        }),
    },
    projectStore: {
      projects: {
        list: async () => [{ site: { language: "fr" } }, {}, { site: { language: "de" } }],
      },
    },
    acmeEmail,
    pageAt: (path: string) => `https://pets.example.org/${path}`,
  };
  // Only these members of the stores are used.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { queued, send: overdueMails(options as unknown as OverdueMailOptions) };
}

test("the operators get one mail each, and the address at the CA if there is no operator", async () => {
  const people = { operators: ["ada@example.org operator", "eve@example.org viewer"] };
  const { queued, send } = mailing(people, { acmeEmail: "hosts@example.org" });
  await send(notice);
  expect(queued).toEqual([
    {
      kind: "certificates_overdue",
      to: "ada@example.org",
      language: "en",
      accountId: undefined,
      key: "overdue operator 2 1795000000000",
      data: { operator: true, ...notice, url: "https://pets.example.org/system" },
    },
  ]);
  const alone = mailing({}, { acmeEmail: "hosts@example.org" });
  await alone.send(notice);
  expect(alone.queued.map(({ to }) => to)).toEqual(["hosts@example.org"]);
  const nobody = mailing({});
  await nobody.send(notice);
  expect(nobody.queued).toEqual([]);
});

test("the members who can change domains get a mail in their language, else in that of the account's site", async () => {
  const acc = ["ada@shelter.org owner", "bob@shelter.org staff en", "eve@shelter.org viewer"];
  const { queued, send } = mailing({ acc_1: acc, operators: ["op@example.org operator"] });
  await send({ ...notice, accountId: "acc_1" });
  expect(queued.map(({ to, language, accountId }) => [to, language, accountId])).toEqual([
    ["ada@shelter.org", "de", "acc_1"],
    ["bob@shelter.org", "en", "acc_1"],
  ]);
  expect(queued[0]?.data).toMatchObject({
    operator: false,
    url: "https://pets.example.org/accounts/acc_1",
  });
});

test("an account without members gets no mail, and the address at the CA none about it", async () => {
  const { queued, send } = mailing({}, { acmeEmail: "hosts@example.org" });
  await send({ ...notice, accountId: "acc_1" });
  expect(queued).toEqual([]);
});

test("without a mail server nothing is queued, and a full queue is tried again", async () => {
  const people = { operators: ["ada@example.org operator"] };
  const off = mailing(people, { enabled: false });
  await off.send(notice);
  expect(off.queued).toEqual([]);
  await expect(mailing(people, { refusal: "full" }).send(notice)).rejects.toThrow("mails wait");
  await mailing(people, { refusal: "too_many" }).send(notice);
});
