import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sqlStore, systemClock } from "petstore";
import { createInternalRoot, internalAuthority, sqlDomainStore, sqlLeases } from "petstore/domains";
import { sqlTokenStore } from "petstore/management";
import { sqlMemberStore } from "petstore/members";
import { nodeSqliteSql, nodeSqliteStore } from "petstore/stores/node-sqlite";
import {
  memberStoreContract,
  sqlContract,
  storeContract,
  tokenStoreContract,
} from "petstore/testing";
import { authorityContract, domainStoreContract, leasesContract } from "petstore/testing/domains";

const directory = await mkdtemp(join(tmpdir(), "petstore-contract-"));
let files = 0;

const inMemory = () => nodeSqliteSql({ path: ":memory:" });

/** The case without a runner that would close what it opened. */
const closing = ({ name, run }) => ({
  name,
  run: async () => {
    const opened = [];
    const open = async () => {
      const store = await nodeSqliteStore({ path: ":memory:" });
      opened.push(store);
      return store;
    };
    await run(open);
    for (const store of opened) await store.close();
  },
});

const random = (into) => crypto.getRandomValues(into);
const root = await createInternalRoot(Date.now(), random);

const contracts = {
  store: storeContract.map(closing),
  sql: sqlContract(inMemory),
  tokens: tokenStoreContract(async () => {
    const sql = await inMemory();
    const store = await sqlStore({ sql });
    return { store, tokens: await sqlTokenStore({ sql }), close: () => store.close() };
  }),
  members: memberStoreContract(async () => {
    const sql = await inMemory();
    const store = await sqlStore({ sql });
    const tokens = await sqlTokenStore({ sql });
    const members = await sqlMemberStore({ sql });
    return { store, tokens, members, close: () => store.close() };
  }),
  domains: domainStoreContract(async (clock) => {
    const sql = await inMemory();
    const store = await sqlStore({ sql, clock });
    const domains = await sqlDomainStore({ sql, clock });
    return { store, domains, leases: sqlLeases({ sql, clock }), close: () => store.close() };
  }),
  leases: leasesContract(async (clock) => {
    const path = join(directory, `${(files += 1)}.sqlite`);
    const [here, there] = [await nodeSqliteSql({ path }), await nodeSqliteSql({ path })];
    await sqlDomainStore({ sql: here, clock });
    const close = async () => {
      await here.close();
      await there.close();
    };
    return { processes: [here, there].map((sql) => sqlLeases({ sql, clock })), close };
  }),
  authority: authorityContract(() => ({
    open: () => internalAuthority({ root, clock: systemClock, random }),
    prove: () => () => Promise.reject(new Error("It asks for no proof.")),
  })),
};

const cases = {};
const broken = [];
for (const [contract, promises] of Object.entries(contracts)) {
  cases[contract] = promises.length;
  for (const { name, run } of promises) {
    await run().catch((error) => broken.push(`${contract}: ${name}: ${error.message}`));
  }
}
await rm(directory, { recursive: true });
console.log(JSON.stringify({ cases, broken }));
