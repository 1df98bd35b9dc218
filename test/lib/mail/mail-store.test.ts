import { expect, test } from "bun:test";

import { memoryMailStore } from "../../../lib/mail/storage/memory-mail-store.ts";
import { sqlMailStore } from "../../../lib/mail/storage/sql-mail-store.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { mailStoreContract } from "../../../testing/index.ts";
import { describeContract } from "../../contract/run.ts";
import { manualClock } from "../../helpers/clock.ts";
import { sqliteHandles } from "../../helpers/sqlite.ts";

describeContract(
  "memory as a mail store",
  mailStoreContract(() => {
    const store = memoryStore();
    const hasAccount = async (id: string) => (await store.accounts.byId(id)) !== undefined;
    return { store, mails: memoryMailStore({ hasAccount }) };
  }),
);

for (const [handle, open] of Object.entries(sqliteHandles)) {
  describeContract(
    `${handle} as a mail store`,
    mailStoreContract(async () => {
      const clock = manualClock(0);
      const sql = sqliteSql({ database: open(":memory:") });
      const store = await sqlStore({ sql, clock });
      return { store, mails: await sqlMailStore({ sql, clock }), close: () => store.close() };
    }),
  );
}

test("an ended mail keeps neither its recipient nor its contents", async () => {
  const sql = sqliteSql({ database: sqliteHandles["bun:sqlite"]!(":memory:") });
  await sqlStore({ sql, clock: manualClock(0) });
  const mails = await sqlMailStore({ sql, clock: manualClock(0) });
  const base = { kind: "test", sealed: "v1.secret", createdAt: 1, attempts: 0, nextAt: 1 };
  const add = (id: string, expiresAt: number) =>
    ({ kind: "mail.add", mail: { ...base, id, expiresAt }, max: 9 }) as const;
  await mails.commit([add("mail_sent", 9), add("mail_expired", 5), add("mail_waiting", 9)]);
  await mails.commit([
    { kind: "mail.claim", id: "mail_sent", attempts: 0, until: 9 },
    { kind: "mail.end", id: "mail_sent", attempts: 1, end: "sent", at: 5 },
    { kind: "purge", at: 5, endedBefore: 0, limit: 9 },
  ]);
  const rows = await sql.query({
    text: "SELECT id, sealed, outcome FROM mail_queue ORDER BY id",
    values: [],
  });
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { id: "mail_expired", sealed: null, outcome: "expired" },
    { id: "mail_sent", sealed: null, outcome: "sent" },
    { id: "mail_waiting", sealed: "v1.secret", outcome: null },
  ]);
  await sql.close();
});
