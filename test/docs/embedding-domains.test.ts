import { expect, test } from "bun:test";
import { join } from "node:path";

import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import * as domains from "../../domains/index.ts";
import { createPetstore, sqlStore, systemClock as clock } from "../../lib/index.ts";
import { startSandbox } from "../../testing/domains/index.ts";

const PAGE = join(import.meta.dir, "../../docs/embedding-domains.md");

/** A function with a body of the page and the names that it uses. */
type Body = (...values: readonly unknown[]) => Promise<Readonly<Record<string, unknown>>>;
// The constructor of asynchronous functions has no name of its own.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const AsyncFunction = (async () => undefined).constructor as new (...source: string[]) => Body;

/** Runs code with names in its scope, and returns the value of one that it declares. */
async function run(
  code: string,
  scope: Readonly<Record<string, unknown>>,
  result = "undefined",
): Promise<unknown> {
  const body = new AsyncFunction(...Object.keys(scope), `${code}\nreturn { result: ${result} };`);
  return (await body(...Object.values(scope)))["result"];
}

test("the code of docs/embedding-domains.md runs, in its order", async () => {
  const page = await Bun.file(PAGE).text();
  const blocks = Array.from(page.matchAll(/^```js\n(.*?)^```$/gms), ([, code = ""]) => code);
  expect(blocks).toHaveLength(5);
  const [create = "", add = "", port80 = "", trying = "", end = ""] = blocks;
  const sql = await bunSqliteSql({ path: ":memory:" });
  const store = await sqlStore({ sql });
  const petstore = createPetstore({ store });
  const shown: unknown[] = [];
  const https = domains.createHttpsClient({ clock, userAgent: "my-shop/1.0" });
  const scope = {
    ...domains,
    ...{ store, sql, petstore, clock, https, startSandbox },
    encryptionKey: new Uint8Array(32).fill(7),
    gatekeeper: {
      gates: async () => ({ plan: true, deploy: true, project: true }),
      slugOf: async () => "happy-cats",
    },
    directoryUrl: "https://127.0.0.1:1/directory",
    userAgent: "my-shop/1.0",
    probe: async () => false,
    console: { log: (value: unknown) => shown.push(value) },
  };
  // Nothing is asked over the network.
  const custom = await run(create.replace("custom.jobs.start();\n", ""), scope, "custom");
  expect(create).toContain("custom.jobs.start();");

  await run(add, { ...scope, custom });
  expect(shown).toMatchObject([[{ type: "CNAME", name: "pets" }]]);

  const asked = { method: "GET", host: "pets.shelter.org" };
  const plain = { ...scope, custom, ...asked, target: "/animals" };
  expect(await run(port80, plain, "answer")).toBeUndefined();
  const target = "/.well-known/acme-challenge/abc";
  expect(await run(port80, { ...plain, target }, "(await answer).status")).toBe(404);

  const rest = {
    store,
    domainStore: await domains.sqlDomainStore({ sql }),
    leases: domains.sqlLeases({ sql }),
    encryptionKey: scope.encryptionKey,
    gatekeeper: scope.gatekeeper,
    cnameTarget: "cname.my-shop.test",
    ownDomains: ["my-shop.test"],
    probe: scope.probe,
  };
  const sandbox = await run(trying, { ...scope, rest }, "sandbox");
  await run("await sandbox.close();", { sandbox });

  const front = { stop: async () => undefined, end: async () => undefined };
  await run(end, { ...scope, custom, front });
});
