import { describe, expect, test } from "bun:test";

import { directoryBlobs } from "../../adapters/blobs-directory.ts";
import { s3Blobs } from "../../adapters/blobs-s3.ts";
import { bunHandler } from "../../adapters/bun.ts";
import { expressHandler } from "../../adapters/express.ts";
import { fastifyPlugin } from "../../adapters/fastify.ts";
import { fetchHandler } from "../../adapters/fetch.ts";
import { honoHandler } from "../../adapters/hono.ts";
import { koaHandler } from "../../adapters/koa.ts";
import { nodeHandler } from "../../adapters/node.ts";
import { bunSqliteSql, bunSqliteStore } from "../../adapters/sqlite-bun.ts";
import { createDomains } from "../../domains/create-domains.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { createPetstore, sqlStore } from "../../lib/index.ts";
import { createManagement, sqlTokenStore } from "../../lib/management/index.ts";
import { createMembers, sqlMemberStore } from "../../lib/members/index.ts";
import { createPublishing, memoryBlobs, sqlProjectStore } from "../../lib/publishing/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";

const store = memoryStore();
const petstore = createPetstore({ store });
const encryptionKey = new Uint8Array(32);
const holder = { commit: () => {} };

/** Valid arguments of each constructor, except the last one. */
const makers: Readonly<Record<string, (bad: object) => unknown>> = {
  createPetstore: (bad) => createPetstore({ store, ...bad }),
  createPublishing: (bad) =>
    createPublishing({ store, projectStore: holder as never, blobs: memoryBlobs(), ...bad }),
  createMembers: (bad) =>
    createMembers({
      store,
      memberStore: holder as never,
      passwords: { hash: () => Promise.resolve(""), verify: () => Promise.resolve(false) },
      resetAddress: "https://pets.example.org/reset",
      encryptionKey,
      ...bad,
    }),
  createManagement: (bad) =>
    createManagement({
      store,
      tokenStore: holder as never,
      client: petstore.client,
      projects: { create: () => {} } as never,
      addressOf: (slug) => slug,
      setupAddress: "https://pets.example.org/setup",
      encryptionKey,
      ...bad,
    }),
  createDomains: (bad) =>
    createDomains({
      store,
      domainStore: holder as never,
      leases: { acquire: () => {}, release: () => {} } as never,
      encryptionKey,
      gatekeeper: { gates: () => {}, slugOf: () => {} } as never,
      authorities: [{} as never],
      resolvers: [{ address: "127.0.0.1", port: 53 }],
      cnameTarget: "cname.shop.example",
      ownDomains: ["shop.example"],
      probe: () => Promise.resolve({} as never),
      ...bad,
    }),
  sqlStore: (bad) => sqlStore(bad as never),
  sqlProjectStore: (bad) => sqlProjectStore(bad as never),
  sqlTokenStore: (bad) => sqlTokenStore(bad as never),
  sqlMemberStore: (bad) => sqlMemberStore(bad as never),
  sqlDomainStore: (bad) => sqlDomainStore(bad as never),
  sqlLeases: (bad) => sqlLeases(bad as never),
  bunSqliteStore: (bad) => bunSqliteStore(bad as never),
  bunSqliteSql: (bad) => bunSqliteSql(bad as never),
  directoryBlobs: (bad) => directoryBlobs(bad as never),
  s3Blobs: (bad) => s3Blobs(bad as never),
  nodeHandler: (bad) => nodeHandler(petstore, bad),
  bunHandler: (bad) => bunHandler(petstore, bad),
  expressHandler: (bad) => expressHandler(petstore, bad),
  koaHandler: (bad) => koaHandler(petstore, bad),
  fastifyPlugin: (bad) => fastifyPlugin(petstore, bad),
  honoHandler: (bad) => honoHandler(petstore, bad),
  fetchHandler: (bad) => fetchHandler(petstore, bad),
};

async function failureOf(make: () => unknown): Promise<unknown> {
  try {
    await make();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("an invalid option is a TypeError that names it:", () => {
  test.each([
    ["createPetstore", { store: undefined }],
    ["createPetstore", { store: {} }],
    ["createPetstore", { environment: "prod" }],
    ["createPetstore", { countBy: "x" }],
    ["createPetstore", { prefix: "/shelter/" }],
    ["createPetstore", { prefix: "shelter" }],
    ["createPetstore", { prefix: "/" }],
    ["createPetstore", { encryptionKey: new Uint8Array(31) }],
    ["createPetstore", { encryptionKey: "0123456789abcdef0123456789abcdef" }],
    ["createPetstore", { servers: "https://pets.example.org" }],
    ["createPetstore", { limiter: {} }],
    ["createPetstore", { clock: Date }],
    ["createPetstore", { random: 4 }],
    ["createPetstore", { digest: {} }],
    ["createPetstore", { log: {} }],
    ["createPetstore", { onAnswer: true }],
    ["createPublishing", { store: undefined }],
    ["createPublishing", { projectStore: undefined }],
    ["createPublishing", { blobs: undefined }],
    ["createPublishing", { compress: {} }],
    ["createPublishing", { reserved: "shop" }],
    ["createPublishing", { alone: "yes" }],
    ["createMembers", { memberStore: undefined }],
    ["createMembers", { passwords: undefined }],
    ["createMembers", { resetAddress: "/reset" }],
    ["createMembers", { encryptionKey: undefined }],
    ["createManagement", { tokenStore: undefined }],
    ["createManagement", { client: undefined }],
    ["createManagement", { addressOf: "https://pets.example.org" }],
    ["createManagement", { setupAddress: "setup" }],
    ["createManagement", { previews: 1 }],
    ["createManagement", { encryptionKey: new Uint8Array(16) }],
    ["createDomains", { authorities: [] }],
    ["createDomains", { resolvers: ["127.0.0.1"] }],
    ["createDomains", { cnameTarget: "" }],
    ["createDomains", { challenges: ["dns-01"] }],
    ["createDomains", { leases: undefined }],
    ["sqlStore", { sql: undefined }],
    ["sqlProjectStore", { sql: undefined }],
    ["sqlTokenStore", { sql: undefined }],
    ["sqlMemberStore", { sql: undefined }],
    ["sqlDomainStore", { sql: undefined }],
    ["sqlLeases", { sql: undefined }],
    ["bunSqliteStore", { path: undefined }],
    ["bunSqliteSql", { path: "" }],
    ["directoryBlobs", { path: undefined }],
    ["s3Blobs", { s3: {}, bucket: "pets", cachePath: "cache" }],
    ["nodeHandler", { prefix: "/shelter/" }],
    ["nodeHandler", { trustProxy: "yes" }],
    ["bunHandler", { prefix: "shelter" }],
    ["expressHandler", { onError: "log" }],
    ["koaHandler", { prefix: "shelter" }],
    ["fastifyPlugin", { onError: "log" }],
    ["honoHandler", { address: "192.0.2.1" }],
    ["fetchHandler", { prefix: "/shelter/" }],
    ["fetchHandler", { trustProxy: 1 }],
  ] as const)("%s(%o)", async (maker, bad) => {
    const failure = await failureOf(() => makers[maker]?.(bad));
    expect(failure).toBeInstanceOf(TypeError);
    expect(String(failure)).toContain(`the option ${Object.keys(bad)[0]} must be `);
  });
});

test("a mount without a service is a TypeError that says what to pass", () => {
  for (const mount of [nodeHandler, bunHandler, expressHandler, koaHandler, honoHandler]) {
    expect(() => mount(undefined as never)).toThrow(
      "takes a petstore, such as createPetstore() returns",
    );
  }
});

test("no secret is shown", async () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const failure = await failureOf(() => makers["createPetstore"]?.({ encryptionKey: secret }));
  expect(String(failure)).toBe(
    "TypeError: createPetstore: the option encryptionKey must be a Uint8Array of at least 32 bytes, or absent, not string.",
  );
});

test.each(["", "/shelter", "/of/oslo", "/a.b/c~d"])("the prefix %p is valid", (prefix) => {
  expect(() => createPetstore({ store, prefix })).not.toThrow();
});

test("options may be inherited, as from a configuration class", () => {
  const options = Object.create({ store, prefix: "/shelter" }) as { readonly store: typeof store };
  expect(() => createPetstore(options)).not.toThrow();
});
