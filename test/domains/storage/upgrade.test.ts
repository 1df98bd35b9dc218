import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { sqlDomainStore } from "../../../domains/storage/sql-domain-store.ts";
import { migrations } from "../../../domains/storage/migrations.ts";
import { migrate } from "../../../lib/sql/migrate.ts";
import { START } from "../../helpers/domains/rows.ts";

test.each([1, 2])(
  "a database of version %d is migrated, and keeps its accounts",
  async (version) => {
    const sql = await bunSqliteSql({ path: ":memory:" });
    const before = { component: "domains", migrations: migrations.slice(0, version) };
    await migrate(sql, [before], START);
    const text =
      "INSERT INTO authority_accounts (authority, url, sealed_key, created_at) VALUES (?, ?, ?, ?)";
    await sql.batch([{ text, values: ["ca", "ca/1", "sealed", START] }], () => true);
    const store = await sqlDomainStore({ sql });
    expect(await store.accounts.of("ca")).toMatchObject({ url: "ca/1", sealedKey: "sealed" });
    const pause = { authority: "ca", until: START + 1, message: "later", probedAt: START };
    await store.commit([{ kind: "authority.pause", pause }], system);
    expect(await store.pauses.of("ca")).toEqual(pause);
    await sql.close();
  },
);
