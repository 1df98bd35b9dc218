import { expect, test } from "bun:test";

import { bunSqliteSql, bunSqliteStore } from "../../../adapters/sqlite/bun.ts";
import { nodeSqliteStore } from "../../../adapters/sqlite/node.ts";
import { sqlTokenStore } from "../../../lib/accounts/storage/sql-token-store.ts";
import { memoryAuditStore } from "../../../lib/audit/storage/memory-audit-store.ts";
import { memoryEnquiryStore } from "../../../lib/enquiries/storage/memory-enquiry-store.ts";
import { memoryMailStore } from "../../../lib/mail/storage/memory-mail-store.ts";
import { sqlMemberStore } from "../../../lib/members/storage/sql-member-store.ts";
import { system } from "../../../lib/model/actor.ts";
import { memoryRequestStore } from "../../../lib/requests/storage/memory-request-store.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { memoryWebhookStore } from "../../../lib/webhooks/storage/memory-webhook-store.ts";
import {
  auditStoreContract,
  enquiryStoreContract,
  mailStoreContract,
  requestStoreContract,
  webhookStoreContract,
} from "../../../testing/index.ts";
import { describeContract } from "../../contract/run.ts";
import { describeSqlStores } from "../../contract/sql-stores.ts";
import { describeStore } from "../../contract/store.ts";
import { scratch, sqliteHandles } from "../../helpers/sqlite.ts";

const file = scratch();

describeStore("bun:sqlite on a file", () => bunSqliteStore({ path: file() }));
describeStore("bun:sqlite in memory", () => bunSqliteStore({ path: ":memory:" }));
describeStore("node:sqlite on a file", () => nodeSqliteStore({ path: file() }));
describeStore("memory", async () => memoryStore());

for (const [handle, open] of Object.entries(sqliteHandles)) {
  describeSqlStores(handle, () => sqliteSql({ database: open(":memory:") }));
}

describeContract(
  "memory as an enquiry store",
  enquiryStoreContract(() => {
    const store = memoryStore();
    return { store, enquiries: memoryEnquiryStore({ store }) };
  }),
);
describeContract(
  "memory as an audit store",
  auditStoreContract(() => ({ audit: memoryAuditStore() })),
);
describeContract(
  "memory as a webhook store",
  webhookStoreContract(() => {
    const store = memoryStore();
    return { store, webhooks: memoryWebhookStore({ store }) };
  }),
);
describeContract(
  "memory as a request store",
  requestStoreContract(() => {
    const store = memoryStore();
    return { store, requests: memoryRequestStore({ store }) };
  }),
);
describeContract(
  "memory as a mail store",
  mailStoreContract(() => {
    const store = memoryStore();
    const hasAccount = async (id: string) => (await store.accounts.byId(id)) !== undefined;
    return { store, mails: memoryMailStore({ hasAccount }) };
  }),
);

test("stores read what earlier ones over the database wrote", async () => {
  const sql = await bunSqliteSql({ path: ":memory:" });
  await sqlStore({ sql });
  const link = { id: "a", hash: "hash", expiresAt: 10 };
  const tokens = await sqlTokenStore({ sql });
  await tokens.commit([{ kind: "setup.offer", link, at: 0 }], system);
  const facts = { id: "a", email: "a@example.org", name: "Ada", role: "operator" } as const;
  const member = { ...facts, password: "hash of a", createdAt: 5 };
  const members = await sqlMemberStore({ sql });
  await members.commit([{ kind: "member.create", member, max: 1, at: 0 }], system);
  await sqlStore({ sql });
  expect(await (await sqlTokenStore({ sql })).setupLink()).toEqual(link);
  expect(await (await sqlMemberStore({ sql })).byId("a")).toEqual({ ...member, passkeys: 0 });
  await sql.close();
});
