import { expect, test } from "bun:test";

import type { OverdueNotice } from "../../domains/index.ts";
import { done, refused } from "../../lib/base/result.ts";
import type { MailRefusal, NewMail } from "../../lib/mail/mail.ts";
import { overdueMails } from "../../server/overdue-mail.ts";

const notice: OverdueNotice = {
  stage: 2,
  overdue: 3,
  expired: 0,
  firstExpiresAt: 1_795_000_000_000,
  names: ["pets.example.org"],
};

/** Mails as an installation queues them; the readers' addresses by account. */
function mailing(
  people: Readonly<Record<string, readonly string[]>>,
  {
    refusal,
    acmeEmail,
    enabled = true,
    hasOperator = people["operators"] !== undefined,
  }: {
    refusal?: MailRefusal;
    acmeEmail?: string;
    enabled?: boolean;
    hasOperator?: boolean;
  } = {},
) {
  const queued: NewMail[] = [];
  const send = overdueMails({
    mail: {
      enabled,
      enqueue: async (mail) => {
        queued.push(mail);
        return refusal === undefined ? done(undefined) : refused(refusal);
      },
    },
    readers: async (kind, accountId) =>
      (people[accountId ?? "operators"] ?? []).map((to) => ({
        to,
        language: "de",
        unsubscribe: `https://pets.example.org/mails/${kind}`,
      })),
    hasOperator: async () => hasOperator,
    acmeEmail,
    pageAt: (path) => `https://pets.example.org/${path}`,
  });
  return { queued, send };
}

test("the operators get one mail each, and the address at the CA if there is no operator", async () => {
  const people = { operators: ["ada@example.org"] };
  const { queued, send } = mailing(people, { acmeEmail: "hosts@example.org" });
  await send(notice);
  expect(queued).toEqual([
    {
      kind: "certificates_overdue",
      to: "ada@example.org",
      language: "de",
      unsubscribe: "https://pets.example.org/mails/certificates_overdue",
      accountId: undefined,
      key: "overdue operator 2 1795000000000",
      data: { operator: true, ...notice, url: "https://pets.example.org/system" },
    },
  ]);
  const alone = mailing({}, { acmeEmail: "hosts@example.org" });
  await alone.send(notice);
  expect(alone.queued.map(({ to, unsubscribe }) => [to, unsubscribe])).toEqual([
    ["hosts@example.org", undefined],
  ]);
  const nobody = mailing({});
  await nobody.send(notice);
  expect(nobody.queued).toEqual([]);
});

test("an operator who turned the mails off is not replaced by the address at the CA", async () => {
  const { queued, send } = mailing({}, { acmeEmail: "hosts@example.org", hasOperator: true });
  await send(notice);
  expect(queued).toEqual([]);
});

test("the readers of an account get one mail each, which is about the account", async () => {
  const acc = ["ada@shelter.org", "bob@shelter.org"];
  const { queued, send } = mailing({ acc_1: acc, operators: ["op@example.org"] });
  await send({ ...notice, accountId: "acc_1" });
  expect(queued.map(({ to, accountId }) => [to, accountId])).toEqual([
    ["ada@shelter.org", "acc_1"],
    ["bob@shelter.org", "acc_1"],
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
  const people = { operators: ["ada@example.org"] };
  const off = mailing(people, { enabled: false });
  await off.send(notice);
  expect(off.queued).toEqual([]);
  await expect(mailing(people, { refusal: "full" }).send(notice)).rejects.toThrow("mails wait");
  await mailing(people, { refusal: "too_many" }).send(notice);
});
