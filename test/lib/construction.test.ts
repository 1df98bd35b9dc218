import { expect, test } from "bun:test";

import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { createDomains } from "../../domains/index.ts";
import type { CertificateAuthority } from "../../domains/ports/authority.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { createPetstore, sqlStore } from "../../lib/index.ts";
import { createManagement, sqlTokenStore } from "../../lib/management/index.ts";
import { createMembers, sqlMemberStore } from "../../lib/members/index.ts";
import { createPublishing, memoryBlobs, sqlProjectStore } from "../../lib/publishing/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";

/** What workerd refuses at module evaluation: randomness, timers, I/O and objects that belong to one request. */
const notYet: readonly (readonly [holder: object, name: string])[] = [
  [crypto, "getRandomValues"],
  [crypto, "randomUUID"],
  [crypto.subtle, "digest"],
  [crypto.subtle, "importKey"],
  [crypto.subtle, "sign"],
  [globalThis, "setTimeout"],
  [globalThis, "setInterval"],
  [globalThis, "setImmediate"],
  [globalThis, "fetch"],
  [globalThis, "AbortController"],
  [globalThis, "Response"],
  [globalThis, "TransformStream"],
  [globalThis, "CompressionStream"],
  [AbortSignal, "timeout"],
  [AbortSignal, "abort"],
  [AbortSignal, "any"],
];

/** Runs `construct` while these features are recorded and throw, as in workerd. */
function construction<Value>(construct: () => Value): {
  readonly made: Value;
  readonly calls: readonly string[];
} {
  const calls: string[] = [];
  const kept = notYet.map(([holder, name]) => Object.getOwnPropertyDescriptor(holder, name));
  for (const [holder, name] of notYet) {
    // Not an arrow function, because some of them are constructors.
    const value = function refused(): never {
      calls.push(name);
      throw new Error(`${name} within global scope`);
    };
    Object.defineProperty(holder, name, { value, configurable: true, writable: true });
  }
  try {
    return { made: construct(), calls };
  } finally {
    for (const [index, [holder, name]] of notYet.entries()) {
      const before = kept[index];
      if (before === undefined) Reflect.deleteProperty(holder, name);
      else Object.defineProperty(holder, name, before);
    }
  }
}

test("a petstore can be created at module evaluation and used later", async () => {
  const { made, calls } = construction(() => createPetstore({ store: memoryStore() }));
  expect(calls).toEqual([]);
  const answer = await made.fetch(new Request("http://localhost/v1/pets"));
  expect(answer.status).toBe(401);
});

test("constructors use no randomness, start no timers and do no I/O", async () => {
  const sql = await bunSqliteSql({ path: ":memory:" });
  const store = await sqlStore({ sql });
  const projectStore = await sqlProjectStore({ sql });
  const tokenStore = await sqlTokenStore({ sql });
  const memberStore = await sqlMemberStore({ sql });
  const domainStore = await sqlDomainStore({ sql });
  const encryptionKey = new Uint8Array(32);
  const { calls } = construction(() => {
    const petstore = createPetstore({ store });
    const publishing = createPublishing({ store, projectStore, blobs: memoryBlobs() });
    const members = createMembers({
      store,
      memberStore,
      passwords: { hash: () => Promise.resolve(""), verify: () => Promise.resolve(false) },
      resetAddress: "https://pets.example.org/reset",
      encryptionKey,
    });
    const custom = createDomains({
      store,
      domainStore,
      leases: sqlLeases({ sql }),
      encryptionKey,
      gatekeeper: {
        gates: () => Promise.resolve({ plan: true, deploy: true, project: true }),
        slugOf: () => Promise.resolve(undefined),
      },
      authorities: [{} as CertificateAuthority],
      resolvers: [{ address: "127.0.0.1", port: 53 }],
      cnameTarget: "cname.shop.example",
      ownDomains: ["shop.example"],
      ownHosts: ["shop.example"],
      probe: () => Promise.resolve({} as never),
    });
    createManagement({
      store,
      tokenStore,
      client: petstore.client,
      projects: publishing.projects,
      addressOf: (slug) => `https://${slug}.example.org`,
      setupAddress: "https://pets.example.org/setup",
      encryptionKey,
      sessions: members.sessions,
      more: [...members.endpoints, ...custom.endpoints],
    });
  });
  expect(calls).toEqual([]);
});
