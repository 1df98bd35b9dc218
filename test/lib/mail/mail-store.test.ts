import { expect, test } from "bun:test";

import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { sqlMailStore } from "../../../lib/mail/storage/sql-mail-store.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";

test("an ended mail keeps neither its recipient nor its contents", async () => {
  const sql = await bunSqliteSql({ path: ":memory:" });
  await sqlStore({ sql });
  const mails = await sqlMailStore({ sql });
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
