import { storeContract } from "petstore/testing";
import { nodeSqliteStore } from "petstore/stores/node-sqlite";

const broken = [];
for (const { name, run } of storeContract) {
  const opened = [];
  const open = async () => {
    const store = await nodeSqliteStore({ path: ":memory:" });
    opened.push(store);
    return store;
  };
  await run(open).catch((error) => broken.push(`${name}: ${error.message}`));
  for (const store of opened) await store.close();
}
console.log(JSON.stringify({ cases: storeContract.length, broken }));
