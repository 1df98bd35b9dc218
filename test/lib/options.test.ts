import { describe, expect, test } from "bun:test";
import postgres from "postgres";

import {
  durableObjectJobs,
  durableObjectSql,
  durableObjectStore,
} from "../../adapters/cloudflare/durable-object.ts";
import { postgresBlobs } from "../../adapters/postgres/blobs.ts";
import { sharedLimits } from "../../adapters/redis/handed-limits.ts";
import { postgresSql, postgresStore } from "../../adapters/postgres/sql.ts";
import { redisCounters, redisLimiter } from "../../adapters/redis/limits.ts";
import { directoryBlobs } from "../../adapters/files/blobs.ts";
import { migrations } from "../../adapters/migrations.ts";
import { s3Blobs } from "../../adapters/s3/blobs.ts";
import { bunHandler } from "../../adapters/hosts/bun.ts";
import { expressHandler } from "../../adapters/hosts/express.ts";
import { fastifyPlugin } from "../../adapters/hosts/fastify.ts";
import { fetchHandler } from "../../adapters/hosts/fetch.ts";
import { honoHandler } from "../../adapters/hosts/hono.ts";
import { koaHandler } from "../../adapters/hosts/koa.ts";
import { nodeHandler } from "../../adapters/hosts/node.ts";
import { bunSqliteSql, bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import * as domains from "../../domains/index.ts";
import { createClient } from "../../lib/client/index.ts";
import * as core from "../../lib/index.ts";
import * as management from "../../lib/management/index.ts";
import * as members from "../../lib/members/index.ts";
import * as publishing from "../../lib/publishing/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";

const store = memoryStore();
const { createDomains, sqlDomainStore, sqlLeases } = domains;
const { createPetstore, sqlStore } = core;
const { createManagement, sqlTokenStore } = management;
const { createMembers, createNotices, sqlMemberStore } = members;
const { createPublishing, memoryBlobs, sqlProjectStore } = publishing;
const petstore = createPetstore({ store });
const encryptionKey = new Uint8Array(32);
const holder = { commit: () => {} };

/** Valid arguments of each constructor, except the last one. */
const makers: Readonly<Record<string, (bad: object) => unknown>> = {
  createPetstore: (bad) => createPetstore({ store, ...bad }),
  createPublishing: (bad) =>
    createPublishing({ store, projectStore: holder as never, blobs: memoryBlobs(), ...bad }),
  createNotices: (bad) =>
    createNotices({
      store,
      memberStore: holder as never,
      mail: { enabled: false, enqueue: () => Promise.reject(new Error("off")) },
      dashboardAddress: "https://pets.example.org",
      encryptionKey,
      ...bad,
    }),
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
      projects: { create: () => {}, as: () => {} } as never,
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
  durableObjectStore: (bad) => durableObjectStore(bad as never),
  durableObjectSql: (bad) => durableObjectSql(bad as never),
  durableObjectJobs: (bad) =>
    durableObjectJobs({ storage: { setAlarm: async () => {} }, jobs: [petstore.jobs], ...bad }),
  directoryBlobs: (bad) => directoryBlobs(bad as never),
  s3Blobs: (bad) => s3Blobs(bad as never),
  postgresSql: (bad) => postgresSql(bad as never),
  postgresStore: (bad) => postgresStore(bad as never),
  migrations: (bad) => migrations(bad as never),
  redisLimiter: (bad) => redisLimiter(bad as never),
  redisCounters: (bad) => redisCounters(bad as never),
  sharedLimits: (bad) => sharedLimits(bad as never),
  postgresBlobs: (bad) => postgresBlobs(bad as never),
  memoryBlobs: (bad) => memoryBlobs(bad),
  createClient: (bad) => createClient(bad as never),
  managementClient: (bad) => management.managementClient(bad as never),
  createDeploy: (bad) => management.createDeploy({} as never, bad as never),
  acmeAuthority: (bad) => domains.acmeAuthority(bad as never),
  createHttpsClient: (bad) => domains.createHttpsClient(bad as never),
  internalAuthority: (bad) => domains.internalAuthority(bad as never),
  createBaseDomainLook: (bad) => domains.createBaseDomainLook(bad as never),
  createAsk: (bad) => domains.createAsk(bad as never),
  createVantages: (bad) => domains.createVantages(bad as never),
  projectGatekeeper: (bad) => domains.projectGatekeeper(bad as never),
  ownHostVerifier: (bad) => domains.ownHostVerifier(bad as never),
  createHoldings: (bad) => domains.createHoldings(bad as never),
  createTlsFront: (bad) => domains.createTlsFront(bad as never),
  httpsServerOptions: (bad) => domains.httpsServerOptions(bad as never),
  issuersOf: (bad) => domains.issuersOf(bad as never),
  readChain: (bad) => domains.readChain("", bad),
  hostTable: (bad) => publishing.hostTable(bad as never),
  httpsOnly: (bad) => domains.httpsOnly(bad as never),
  nodeHandler: (bad) => nodeHandler(petstore, bad),
  bunHandler: (bad) => bunHandler(petstore, bad),
  expressHandler: (bad) => expressHandler(petstore, bad),
  koaHandler: (bad) => koaHandler(petstore, bad),
  fastifyPlugin: (bad) => fastifyPlugin(petstore, bad),
  honoHandler: (bad) => honoHandler(petstore, bad),
  fetchHandler: (bad) => fetchHandler(petstore, bad),
};

/** Exported functions and classes without an object of options. */
const withoutOptions: readonly string[] = `
  forActors EventsMissing ForeignTables MissingMigrations NewerSchema StoreUnavailable UnfinishedImport UnsuitableDatabase migrate shareFeed
  clientAddress oncePerProcess SealBroken closeRemoved answerChallenge answerProbe driftStandsStill createInternalRoot createSeal endLeases formatServerAddress
  handshakeProbe inspectChain isPublicAddress isSkewed keyFingerprint ownershipName parseServerAddress
  projectSiteMaps readOwnDomain recursiveResolver rehearseHandshake shareCookies redirectRoute redirectTo serversInResolvConf skewInWords
  strictTransport UnexpectedAnswer fieldTyped addPhoto choicesOf exportedAnimal exportHeader exportRow uploadImport uploadImportPhotos readPhoto exportArchive serverSentEvents systemEndpoints toWire
  BlobTooLarge PictureUndecodable areaAt goneBetween hostName isBlobName previewLabel serviceAt siteEmail tarGz unknownPage`
  .trim()
  .split(/\s+/);

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
    ["createNotices", { mail: {} }],
    ["createNotices", { dashboardAddress: "/" }],
    ["createNotices", { encryptionKey: undefined }],
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
    ["durableObjectStore", { storage: undefined }],
    ["durableObjectSql", { storage: { sql: {} } }],
    ["durableObjectJobs", { storage: {} }],
    ["durableObjectJobs", { jobs: [] }],
    ["durableObjectJobs", { jobs: [petstore] }],
    ["durableObjectJobs", { idleMs: 999 }],
    ["durableObjectJobs", { idleMs: 3_600_001 }],
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

describe("an unknown option is a TypeError:", () => {
  test.each(Object.keys(makers))("%s", async (maker) => {
    const failure = await failureOf(() => makers[maker]?.({ unheardOf: 1 }));
    expect(failure).toBeInstanceOf(TypeError);
    expect(String(failure)).toContain("the option unheardOf does not exist. Its options are ");
  });

  test.each([
    ["createPetstore", { prefx: "/shelter" }, "prefx", "prefix"],
    [
      "createPetstore",
      { servers: { prodution: "https://x.org" } },
      "servers.prodution",
      "production",
    ],
    ["createManagement", { setupAdress: "" }, "setupAdress", "setupAddress"],
    ["createMembers", { passwordBounds: { atonce: 1 } }, "passwordBounds.atonce", "atOnce"],
    ["createDomains", { publicPorts: { plane: 80 } }, "publicPorts.plane", "plain"],
    ["nodeHandler", { trustproxy: true }, "trustproxy", "trustProxy"],
    ["fetchHandler", { trustedProxy: true }, "trustedProxy", "trustProxy"],
  ] as const)("%s(%o) suggests the nearest name", async (maker, bad, written, meant) => {
    const failure = await failureOf(() => makers[maker]?.(bad));
    expect(failure).toBeInstanceOf(TypeError);
    expect(String(failure)).toBe(
      `TypeError: ${maker}: the option ${written} does not exist. Did you mean ${meant}?`,
    );
  });

  test("every exported function that takes options is listed above", () => {
    const modules = [core, domains, management, members, publishing];
    const functions = modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, value]) =>
        typeof value === "function" ? [name] : [],
      ),
    );
    expect(functions.filter((name) => !(name in makers) && !withoutOptions.includes(name))).toEqual(
      [],
    );
  });
});

test.each([
  ["a client of the package postgres", postgres("postgres://pets@127.0.0.1:1/pets")],
  ["a function that returns nothing", () => undefined],
])("%s is no connect of the PostgreSQL store", async (_, connect) => {
  const url = "postgres://pets@127.0.0.1:1/pets";
  const failure = await failureOf(() => makers["postgresSql"]?.({ url, connect }));
  expect(failure).toBeInstanceOf(TypeError);
  expect(String(failure)).toContain("the option connect must make a client.");
});

test("a mount without a service is a TypeError that says what to pass", () => {
  const mounts: readonly ((service: never) => unknown)[] = [
    nodeHandler,
    bunHandler,
    expressHandler,
    koaHandler,
    honoHandler,
  ];
  for (const mount of mounts) {
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
