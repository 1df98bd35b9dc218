import type { Eventual } from "../lib/base/eventual.ts";
import type { MailStore, QueuedMail } from "../lib/mail/mail-store.ts";
import { system } from "../lib/model/actor.ts";
import type { Store } from "../lib/storage/store.ts";
import { contractCase, expect, type ContractCase } from "./contract-case.ts";
import { anAccount, START } from "./shelter.ts";

/** An empty mail store, and the store of its accounts. */
export interface MailStoreUnderTest {
  readonly store: Store;
  readonly mails: MailStore;
  /** Called after the case. */
  close?(): Eventual<void>;
}

const MAX = 100;
const HOUR = 3_600_000;

function aMail(id: string, more: Partial<QueuedMail> = {}): QueuedMail {
  return {
    id: `mail_${id}`,
    kind: "test",
    sealed: `v1.secret of ${id}`,
    createdAt: START,
    expiresAt: START + HOUR,
    attempts: 0,
    nextAt: START,
    ...more,
  };
}

/** Returns the contract of every mail store. Each case runs with a store of its own. */
export function mailStoreContract(
  open: () => Eventual<MailStoreUnderTest>,
): readonly ContractCase[] {
  const test = (name: string, body: (made: MailStoreUnderTest) => Promise<void>): ContractCase =>
    contractCase(name, open, body);
  const add = (mail: QueuedMail, max = MAX) => ({ kind: "mail.add", mail, max }) as const;
  const claim = (id: string, attempts: number, until: number) =>
    ({ kind: "mail.claim", id: `mail_${id}`, attempts, until }) as const;
  const retry = (id: string, attempts: number, nextAt: number) =>
    ({ kind: "mail.retry", id: `mail_${id}`, attempts, nextAt }) as const;
  const end = (id: string, attempts: number, at = START) =>
    ({ kind: "mail.end", id: `mail_${id}`, attempts, end: "sent", at }) as const;
  const purge = (at: number, { endedBefore = at - HOUR, limit = 100 } = {}) =>
    ({ kind: "purge", at, endedBefore, limit }) as const;
  const dueAt = async ({ mails }: MailStoreUnderTest, at: number, limit = 100) =>
    (await mails.due(at, limit)).map(({ id }) => id);
  const gone = { ok: false, failure: "gone" };

  return [
    test("a queued mail is due from its time on, with all its fields", async (made) => {
      await made.store.commit([{ kind: "account.create", account: anAccount("acc_one") }], system);
      const whole = aMail("a", { accountId: "acc_one", attempts: 2, nextAt: START + 5 });
      await made.mails.commit([add(whole), add(aMail("b", { nextAt: START + 6 }))]);
      expect(await dueAt(made, START + 4)).toEqual([]);
      expect(await made.mails.due(START + 5, 10)).toEqual([whole]);
      expect(await dueAt(made, START + 6)).toEqual(["mail_a", "mail_b"]);
      expect(await dueAt(made, START + 6, 1)).toEqual(["mail_a"]);
      expect(await made.mails.state()).toEqual({ waiting: 2, oldestAt: START });
    }),

    test("a mail is not due once it has expired", async (made) => {
      await made.mails.commit([add(aMail("a"))]);
      expect(await dueAt(made, START + HOUR - 1)).toEqual(["mail_a"]);
      expect(await dueAt(made, START + HOUR)).toEqual([]);
    }),

    test("a mail is queued once, also after it has ended, until it is purged", async (made) => {
      const { mails } = made;
      const again = aMail("a", { sealed: "v1.other" });
      await mails.commit([add(aMail("a"))]);
      expect(await mails.commit([add(again)])).toEqual({ ok: false, failure: "exists" });
      await mails.commit([claim("a", 0, START + 1), end("a", 1)]);
      expect(await mails.commit([add(again)])).toEqual({ ok: false, failure: "exists" });
      expect(await mails.state()).toEqual({ waiting: 0 });
      await mails.commit([purge(START + 1, { endedBefore: START + 1 })]);
      expect((await mails.commit([add(again)])).ok).toBe(true);
      expect((await mails.due(START, 10))[0]?.sealed).toBe("v1.other");
    }),

    test("a full queue takes no more mails, and ended ones leave room", async ({ mails }) => {
      await mails.commit([add(aMail("a"), 2), add(aMail("b"), 2)]);
      expect(await mails.commit([add(aMail("c"), 2)])).toEqual({ ok: false, failure: "full" });
      await mails.commit([claim("a", 0, START + 1), end("a", 1)]);
      expect((await mails.commit([add(aMail("c"), 2)])).ok).toBe(true);
    }),

    test("a commit applies all of its changes or none", async (made) => {
      const refused = await made.mails.commit([add(aMail("a")), claim("b", 0, START + 1)]);
      expect(refused).toEqual(gone);
      expect(await made.mails.state()).toEqual({ waiting: 0 });
    }),

    test("of several claims of an attempt one succeeds, and the mail is due again when it ends", async (made) => {
      const { mails } = made;
      await mails.commit([add(aMail("a"))]);
      const claims = await Promise.all(
        [1, 2, 3].map(() => mails.commit([claim("a", 0, START + 9)])),
      );
      expect(claims.filter(({ ok }) => ok)).toHaveLength(1);
      expect(claims.filter(({ ok }) => !ok)).toEqual([gone, gone]);
      expect(await dueAt(made, START + 8)).toEqual([]);
      expect((await mails.due(START + 9, 10)).map(({ attempts }) => attempts)).toEqual([1]);
    }),

    test("an attempt that a later one has replaced changes nothing", async (made) => {
      const { mails } = made;
      await mails.commit([add(aMail("a")), claim("a", 0, START + 1), claim("a", 1, START + 9)]);
      expect(await mails.commit([retry("a", 1, START)])).toEqual(gone);
      expect(await mails.commit([end("a", 1)])).toEqual(gone);
      expect(await dueAt(made, START + 8)).toEqual([]);
      await mails.commit([retry("a", 2, START + 5)]);
      expect(await dueAt(made, START + 5)).toEqual(["mail_a"]);
      await mails.commit([end("a", 2)]);
      expect(await mails.commit([claim("a", 2, START + 9)])).toEqual(gone);
      expect(await mails.commit([end("a", 2)])).toEqual(gone);
      expect(await dueAt(made, START + 9)).toEqual([]);
    }),

    test("a purge ends expired mails, and removes those that ended long ago", async (made) => {
      const { mails } = made;
      await mails.commit([add(aMail("a")), add(aMail("b", { expiresAt: START + 2 * HOUR }))]);
      await mails.commit([purge(START + HOUR)]);
      expect(await mails.state()).toEqual({ waiting: 1, oldestAt: START });
      expect(await mails.commit([add(aMail("a"))])).toEqual({ ok: false, failure: "exists" });
      await mails.commit([purge(START + HOUR + 1, { endedBefore: START + HOUR + 1 })]);
      expect((await mails.commit([add(aMail("a"))])).ok).toBe(true);
    }),

    test("a purge of few rows leaves the others to the next", async (made) => {
      const { mails } = made;
      await mails.commit(["a", "b", "c"].map((id) => add(aMail(id))));
      await mails.commit([purge(START + HOUR, { limit: 2 })]);
      expect((await mails.state()).waiting).toBe(1);
      await mails.commit([purge(START + HOUR, { limit: 2 })]);
      expect((await mails.state()).waiting).toBe(0);
    }),

    test("a purge removes the mails of deleted accounts", async (made) => {
      const { store, mails } = made;
      for (const id of ["acc_one", "acc_two"]) {
        await store.commit([{ kind: "account.create", account: anAccount(id) }], system);
      }
      await mails.commit([
        add(aMail("a", { accountId: "acc_one" })),
        add(aMail("b", { accountId: "acc_two" })),
        add(aMail("c")),
        add(aMail("d", { accountId: "acc_one" })),
        claim("d", 0, START + 1),
        end("d", 1),
      ]);
      await store.commit([{ kind: "account.delete", accountId: "acc_one", at: START }], system);
      await mails.commit([purge(START)]);
      // A store may begin in the middle of the table.
      await mails.commit([purge(START)]);
      expect(await dueAt(made, START)).toEqual(["mail_b", "mail_c"]);
      expect((await mails.commit([add(aMail("d"))])).ok).toBe(true);
    }),
  ];
}
