#!/usr/bin/env bun
import { basename } from "node:path";

import { directoryBlobs } from "./adapters/blobs-directory.ts";
import { nodeCompress } from "./adapters/compress.ts";
import { markdown } from "./adapters/markdown.ts";
import { nodeDigest } from "./adapters/node.ts";
import { passkeys } from "./adapters/passkeys.ts";
import { bunPasswords } from "./adapters/passwords-bun.ts";
import { bunSqliteSql, type SqliteStoreOptions } from "./adapters/sqlite-bun.ts";
import { clientOfBoth } from "./cli/client-of-both.ts";
import type { Composition, Parts, Service, Storage } from "./cli/composition.ts";
import { main } from "./cli/main.ts";
import { shellWord } from "./cli/shell.ts";
import { processTerminal } from "./cli/terminal.ts";
import { typedPath } from "./cli/typed-path.ts";
import { watchWrites } from "./cli/writes.ts";
import { createGuides } from "./dashboard/guides/serve.ts";
import { createDashboard } from "./dashboard/serve.ts";
import {
  createDomains,
  domainSchema,
  projectGatekeeper,
  projectSiteMaps,
  sqlDomainStore,
  endLeases,
  sqlLeases,
  type DomainStore,
  type Leases,
} from "./domains/index.ts";
import {
  createPetstore,
  migrate,
  schemaVersion,
  sqlStore,
  storeSchema,
  systemClock,
} from "./lib/index.ts";
import {
  createManagement,
  sqlTokenStore,
  systemEndpoints,
  tokenSchema,
  type TokenStore,
} from "./lib/management/index.ts";
import {
  createMembers,
  memberSchema,
  sqlMemberStore,
  type MemberStore,
} from "./lib/members/index.ts";
import {
  createPublishing,
  memoryBlobs,
  projectSchema,
  sqlProjectStore,
  type Blobs,
  type ProjectStore,
} from "./lib/publishing/index.ts";
import manifest from "./package.json";

/** SQLite in one file and blobs in a directory; Production and Staging over the same store. */
const composition: Composition = {
  schemaVersion,
  openStorage: ({ database, blobs }, { onCopy }) =>
    openStorage({ path: database, onCopy }, directoryBlobs({ path: blobs })),
  openMemory: () => openStorage({ path: ":memory:" }, memoryBlobs()),
  dashboard: createDashboard(async () => (await import("./dashboard/bundled.ts")).bundled),
  guides: createGuides(async () => (await import("./dashboard/guides/bundled.ts")).bundled),
};

const schemas = [storeSchema, projectSchema, tokenSchema, memberSchema, domainSchema];

async function openStorage(options: SqliteStoreOptions, blobs: Blobs): Promise<Storage> {
  const { sql, writes } = watchWrites(await bunSqliteSql(options), systemClock);
  try {
    // All at once: an upgrade that fails leaves everything to the program that wrote it.
    await migrate(sql, schemas, systemClock.now());
    const store = await sqlStore({ sql });
    const projectStore = await sqlProjectStore({ sql });
    const tokenStore = await sqlTokenStore({ sql });
    const memberStore = await sqlMemberStore({ sql });
    const domainStore = await sqlDomainStore({ sql });
    // Whoever opens this holds the lock of the data directory.
    await endLeases(sql);
    const leases = sqlLeases({ sql });
    const stores = { blobs, projectStore, tokenStore, memberStore, domainStore, leases };
    return {
      store,
      writes,
      createService: (parts) => createService(parts, stores),
      close: () => store.close(),
    };
  } catch (error) {
    await sql.close();
    throw error;
  }
}

interface Stores {
  readonly blobs: Blobs;
  readonly projectStore: ProjectStore;
  readonly tokenStore: TokenStore;
  readonly memberStore: MemberStore;
  readonly domainStore: DomainStore;
  readonly leases: Leases;
}

function createService(parts: Parts, stores: Stores): Service {
  const { blobs, projectStore, tokenStore, memberStore, domainStore, leases } = stores;
  const { store, encryptionKey, log, servers, onAnswer, addressOf, reserved, setupAddress } = parts;
  const { siteHosts, ...custom } = parts.custom;
  const shared = { store, encryptionKey, log, digest: nodeDigest };
  const answers = { ...shared, servers, ...(onAnswer === undefined ? {} : { onAnswer }) };
  const petstores = {
    production: createPetstore({ ...answers, environment: "production" }),
    staging: createPetstore({ ...answers, environment: "staging" }),
  };
  const publishing = createPublishing({
    store,
    projectStore,
    blobs,
    compress: nodeCompress,
    markdown,
    reserved,
    // Whoever composes this holds the lock of the data directory.
    alone: true,
    log,
  });
  const client = clientOfBoth(petstores);
  const { projects } = publishing;
  const sites = siteHosts(publishing);
  const domains = createDomains({
    ...custom,
    ...(sites === undefined ? {} : { siteHosts: sites }),
    store,
    domainStore,
    leases,
    encryptionKey,
    gatekeeper: projectGatekeeper({ store, projectStore }),
    siteMaps: projectSiteMaps(projectStore),
    log,
  });
  const system = parts.system({ client, projects, addressOf });
  const members = createMembers({
    ...shared,
    memberStore,
    passwords: bunPasswords,
    // Fetched when somebody chooses one: most starts of a server never do.
    leaked: { ranks: async () => (await import("./cli/passwords/leaked.ts")).leakedRanks() },
    passkeys,
    resetAddress: new URL("reset", setupAddress).href,
  });
  const more = [...domains.endpoints, ...members.endpoints, ...systemEndpoints(system)];
  const { sessions } = members;
  const managed = {
    ...shared,
    tokenStore,
    sessions,
    client,
    projects,
    addressOf,
    // A certificate for each of them would tell the world of it.
    previews: sites === undefined,
    setupAddress,
    more,
  };
  return {
    petstores,
    publishing,
    management: createManagement(managed),
    members,
    custom: domains,
  };
}

process.exitCode = await main(process.argv.slice(2), {
  terminal: processTerminal(process.env),
  environment: process.env,
  clock: systemClock,
  version: manifest.version,
  program: programName(),
  composition,
});

/** What a person types to get here, from the directory where they are. */
function programName(): string {
  const compiled = Bun.main.startsWith("/$bunfs/");
  if (!compiled) return `npx bun ${typedPath(import.meta.path, process.cwd())}`;
  const name = basename(process.execPath);
  return Bun.which(name) === process.execPath
    ? shellWord(name)
    : typedPath(process.execPath, process.cwd());
}
