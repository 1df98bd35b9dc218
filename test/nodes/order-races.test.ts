import { expect, test } from "bun:test";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import type { DomainStore } from "../../domains/ports/domain-store.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { adding, refusalOf, someDomain, someOrder } from "../../testing/domains/rows.ts";
import { systemClock } from "../../lib/base/clock.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { torture } from "../helpers/chance.ts";
import { drivers, startPostgres } from "../helpers/postgres.ts";

const RACES = torture ? 1_000 : 50;
const AT_ONCE = 10;

for (const [driver, connect] of Object.entries(drivers)) {
  test(`three nodes over ${driver} that race for ${RACES} names add each once, with one order`, async () => {
    await using server = await startPostgres();
    const url = await server.createDatabase();
    const nodes = await Promise.all(
      [1, 2, 3].map(() => postgresSql({ url, connect, connections: 4 })),
    );
    const [first] = nodes;
    if (first === undefined) throw new Error("unreachable");
    await sqlStore({ sql: first });
    const stores: DomainStore[] = [];
    for (const sql of nodes) stores.push(await sqlDomainStore({ sql, clock: systemClock }));

    const race = async (number: number): Promise<void> => {
      // Each node has its own idea of the domain, as for three requests at the same time.
      const domains = stores.map((_, index) =>
        someDomain(number, { id: `dom_${String(3 * number + index).padStart(12, "0")}` }),
      );
      const added = await Promise.all(
        stores.map((store, index) => {
          const domain = domains[index];
          if (domain === undefined) throw new Error("unreachable");
          return refusalOf(store, adding(domain));
        }),
      );
      expect(added.filter((refusal) => refusal === undefined)).toHaveLength(1);
      const winner = domains[added.indexOf(undefined)];
      if (winner === undefined) throw new Error("unreachable");
      const opened = await Promise.all(
        stores.map((store, index) =>
          refusalOf(store, {
            kind: "order.open",
            order: { ...someOrder(winner), id: `ord_${number}_${index}` },
          }),
        ),
      );
      expect(opened.filter((refusal) => refusal === "exists")).toHaveLength(2);
      expect(opened).toContain(undefined);
    };
    for (let number = 1; number <= RACES; number += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => race(number + index)));
    }
    const database = new URL(url).pathname.slice(1);
    const [rows] = await server.run(
      "SELECT (SELECT count(*)::int FROM domains) AS domains, (SELECT count(*)::int FROM domain_orders) AS orders",
      database,
    );
    expect(rows).toEqual({ domains: RACES, orders: RACES });
    for (const sql of nodes) await sql.close();
  });
}
