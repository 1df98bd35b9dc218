import { afterAll, beforeAll, expect, test } from "bun:test";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { MAX_UNVERIFIED } from "../../domains/model/domain.ts";
import { systemRandom } from "../../lib/base/id.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { openActions, owner } from "../helpers/domains/actions-fixture.ts";
import { drivers, startPostgres, type TestPostgres } from "../helpers/postgres.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

for (const [driver, connect] of Object.entries(drivers)) {
  test(`names added to one project at once over two nodes and ${driver} are all added, each in one commit`, async () => {
    const url = await server.createDatabase();
    let commits = 0;
    const nodes = await Promise.all(
      [0, 1].map(async () => {
        const sql = await postgresSql({ url, connect });
        const store = await sqlStore({ sql });
        const { domains } = await openActions({
          sql,
          random: systemRandom,
          store: (opened) => ({
            ...opened,
            commit: (changes, actor, under) => {
              commits++;
              return opened.commit(changes, actor, under);
            },
          }),
        });
        return { domains, store };
      }),
    );
    const added = await Promise.all(
      Array.from({ length: MAX_UNVERIFIED }, (_, number) =>
        nodes[number % 2]?.domains.add(owner(), `pets${number}.shelter.org`),
      ),
    );
    const roles = added.map((result) => (result?.ok === true ? result.value.role : "refused"));
    const count = (role: string): number => roles.filter((one) => one === role).length;
    expect([count("primary"), count("redirect")]).toEqual([1, MAX_UNVERIFIED - 1]);
    expect(commits).toBe(MAX_UNVERIFIED);
    await Promise.all(nodes.map(({ store }) => store.close()));
  });
}
