import { expect, test } from "bun:test";

import { nodeDigest } from "../../adapters/hosts/node.ts";
import { postgresSql } from "../../adapters/postgres/sql.ts";
import { createAudit, sqlAuditStore } from "../../lib/audit/index.ts";
import { system } from "../../lib/model/actor.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { manualClock } from "../../testing/clock.ts";
import { anAccount, START } from "../../testing/shelter.ts";
import { rowsOf, verifiedLog } from "../helpers/audit.ts";
import { drivers, startPostgres } from "../helpers/postgres.ts";

const ACCOUNTS = ["acc_1", "acc_2", "acc_3"];
const CREATES = 40;

test("two nodes write the log while both get writes: each event is in it once, and the chain is whole", async () => {
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const connect = drivers["Bun.SQL"] ?? Object.values(drivers)[0]!;
  const clock = manualClock(START);
  const nodes = await Promise.all(
    [1, 2].map(async () => {
      const sql = await postgresSql({ url, connect });
      const store = await sqlStore({ sql, clock });
      const auditStore = await sqlAuditStore({ sql });
      return { store, auditStore };
    }),
  );
  const [here] = nodes;
  if (here === undefined) throw new Error("unreachable");
  const catalogues: number[] = [];
  for (const id of ACCOUNTS) {
    await here.store.commit([{ kind: "account.create", account: anAccount(id) }], system);
    catalogues.push((await here.store.catalogues.of(id, "production"))?.id ?? 0);
  }
  let writing = true;
  const chaining = nodes.map(async ({ store, auditStore }) => {
    // Without turns, both try each time.
    const audit = createAudit({ store, auditStore, clock, digest: nodeDigest });
    for (let last = false; !last;) {
      last = !writing;
      clock.advance(1_000);
      await audit.jobs.tick();
    }
  });
  const pet = { name: "Rex", categoryId: 1, status: "available" } as const;
  await Promise.all(
    nodes.flatMap(({ store }) =>
      catalogues.flatMap((catalogueId) =>
        Array.from({ length: CREATES }, () =>
          store.commit([{ kind: "pet.create", catalogueId, pet, at: START }], system),
        ),
      ),
    ),
  );
  writing = false;
  await Promise.all(chaining);
  const events = await here.store.events.recorded(0, 10_000);
  const logged = (await rowsOf(here.auditStore)).map(({ event }) => event);
  expect(events).toHaveLength(ACCOUNTS.length * (1 + nodes.length * CREATES));
  expect(logged).toEqual(events.map(({ seq }) => seq));
  expect((await verifiedLog(here.auditStore)).fault).toBeUndefined();
  for (const { store } of nodes) await store.close();
});
