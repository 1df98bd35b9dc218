import { bunDigest } from "../adapters/hosts/bun.ts";
import { nodeCompress } from "../adapters/compress.ts";
import { passkeys } from "../adapters/passkeys.ts";
import { bunPasswords } from "../adapters/passwords-bun.ts";
import { sharedLimits, type LimitsStatus } from "../adapters/redis/handed-limits.ts";
import type { PostgresCounters, PostgresSql } from "../adapters/postgres/sql.ts";
import type { RedisCounters } from "../adapters/redis/limits.ts";
import { bunSqliteSql } from "../adapters/sqlite/bun.ts";
import { workbooks } from "../adapters/workbooks.ts";
import {
  createDomains,
  domainSchema,
  endLeases,
  projectGatekeeper,
  projectSiteMaps,
  sqlDomainStore,
  sqlLeases,
  type CustomDomains,
  type DomainStore,
  type Leases,
  type Observe,
} from "../domains/index.ts";
import { destinationUntil, type Domain } from "../domains/model/domain.ts";
import { unicodeOf } from "../domains/model/idna.ts";
import type { PetstoreClient, PetstoreOperations } from "../domains/operations.ts";
import {
  createImports,
  importSchema,
  sqlImportStore,
  type Imports,
  type ImportStore,
} from "../lib/import/index.ts";
import { silentLog } from "../lib/base/log.ts";
import { createRounds, type TakeTurn } from "../lib/base/rounds.ts";
import {
  createPetstore,
  forActors,
  migrate,
  shareFeed,
  sqlStore,
  storeSchema,
  systemClock,
  type Actor,
  type Answered,
  type Clock,
  type Environment,
  type ForActors,
  type LocalClient,
  type Log,
  type Petstore,
  type Schema,
  type Sql,
  type Store,
  type StoredPet,
} from "../lib/index.ts";
import type { StoreClock } from "../lib/base/store-clock.ts";
import {
  createMail,
  mailSchema,
  sqlMailStore,
  type InstallationMail,
  type MailObservation,
  type MailStore,
} from "../lib/mail/index.ts";
import {
  createManagement,
  local,
  managementClient,
  sqlTokenStore,
  systemEndpoints,
  tokenSchema,
  type Management,
  type TokenStore,
} from "../lib/management/index.ts";
import {
  createMembers,
  createNotices,
  memberSchema,
  sqlMemberStore,
  type Members,
  type MemberStore,
  type Notices,
} from "../lib/members/index.ts";
import {
  auditSchema,
  createAudit,
  sqlAuditStore,
  type Audit,
  type AuditStore,
} from "../lib/audit/index.ts";
import {
  createEnquiries,
  type Enquiries,
  enquirySchema,
  sqlEnquiryStore,
  type EnquiryStore,
} from "../lib/enquiries/index.ts";
import {
  createRequests,
  requestSchema,
  sqlRequestStore,
  type Requests,
  type RequestStore,
} from "../lib/requests/index.ts";
import {
  createPublishing,
  memoryBlobs,
  projectSchema,
  siteEmail,
  sqlProjectStore,
  type Blobs,
  type ProjectStore,
  type Publishing,
} from "../lib/publishing/index.ts";
import {
  createWebhooks,
  sqlWebhookStore,
  webhookSchema,
  type DeliveryObservation,
  type Webhooks,
  type WebhookStore,
} from "../lib/webhooks/index.ts";
import type { LoadedSettings } from "../settings/load.ts";
import {
  baseAddress,
  domainAddress,
  publicServers,
  reservedSlugs,
  siteAddress,
  type Ports,
} from "../settings/public-address.ts";
import { knownSchemasAt, type Versions } from "../transfer/tables.ts";
import { historyInSql, type BackupHistory } from "./backup/state.ts";
import { blobComponents } from "./data/blobs.ts";
import { dataDirectory, type DataDirectory } from "./data/data-directory.ts";
import { pictureFetch } from "./fetch-picture.ts";
import { siteHostsOf, transientParts, type DomainParts } from "./domain-parts.ts";
import { languageOfAccount, mailAccess } from "./mail.ts";
import { overdueMails } from "./overdue-mail.ts";
import { nodeSchema, sqlNodes, type Node, type NodeIdentity, type Nodes } from "./nodes/nodes.ts";
import { pictureProcess } from "./pictures/process.ts";
import { watchWrites, type Writes } from "./process/readiness.ts";
import { machineClock, type Runtime } from "./process/runtime.ts";
import { systemOf } from "./system/create.ts";
import { webhookSender } from "./webhook-sender.ts";

/** The open stores of an installation. */
export interface Storage {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly projectStore: ProjectStore;
  readonly importStore: ImportStore;
  readonly tokenStore: TokenStore;
  readonly memberStore: MemberStore;
  readonly mailStore: MailStore;
  readonly enquiryStore: EnquiryStore;
  readonly webhookStore: WebhookStore;
  readonly auditStore: AuditStore;
  readonly requestStore: RequestStore;
  readonly domainStore: DomainStore;
  readonly leases: Leases;
  /** Undefined if one process has the database: then it counts in its memory. */
  readonly counters: PostgresCounters | undefined;
  /** Counts instead of `counters` as long as it can be used. */
  readonly redis?: RedisCounters | undefined;
  /** Undefined if the database is used by one process alone. */
  readonly nodes: Nodes | undefined;
  /** Undefined if the data directory has it. */
  readonly backups: BackupHistory | undefined;
  /** Whether no other process used the database when it was opened. */
  readonly alone: boolean;
  /** Counts the writes to the database. */
  readonly writes: Writes;
  /** The time of all stores: the database's, if it has a clock. */
  readonly clock: StoreClock;
  close(): Promise<void>;
}

/** The tables of an installation, without those of site files. */
export const schemas: readonly Schema[] = [
  storeSchema,
  projectSchema,
  importSchema,
  tokenSchema,
  memberSchema,
  mailSchema,
  enquirySchema,
  webhookSchema,
  auditSchema,
  requestSchema,
  domainSchema,
  nodeSchema,
];

/** The newest version of each component's tables that this program can open. */
export const knownSchemas: ReadonlyMap<string, number> = new Map(
  schemas.map(({ component, migrations }) => [component, migrations.length]),
);

/** Returns the schemas at the versions that a database has. Fails if a newer program upgraded it, with which to do `fix`. */
export function schemasIn(versions: Versions, fix: string): readonly Schema[] {
  const components = Object.entries(versions).filter(
    ([component]) => !blobComponents.includes(component) && !component.endsWith(SINCE),
  );
  return knownSchemasAt(schemas, Object.fromEntries(components), {
    holder: "The database",
    fix: `A newer one upgraded it: ${fix} with that one.`,
  });
}

/** Ends the name of a row that says which versions of programs may open the tables. */
const SINCE = " since";

/**
 * Opens the stores of a database, which close it, and upgrades their tables. `node` is this process among those that
 * share the database. Rejects with `StoreUnavailable`, `UnsuitableDatabase` or `NewerSchema`.
 */
export async function openStorage(
  opened: Sql | PostgresSql,
  openBlobs: (sql: Sql) => Blobs,
  blobSchemas: readonly Schema[] = [],
  node?: NodeIdentity,
  /** The clock of this machine. */
  machine: Clock = machineClock,
): Promise<Storage> {
  const { sql, writes } = watchWrites(opened, systemClock);
  const counters = "counters" in opened ? opened.counters : undefined;
  try {
    // In one transaction: a failed upgrade leaves the database to the program that wrote it.
    await migrate(sql, [...schemas, ...blobSchemas], systemClock.now());
    const store = await sqlStore({ sql, clock: sql.clock ?? machine });
    const { clock } = store;
    const projectStore = await sqlProjectStore({ sql });
    const importStore = await sqlImportStore({ sql });
    const tokenStore = await sqlTokenStore({ sql });
    const memberStore = await sqlMemberStore({ sql });
    const mailStore = await sqlMailStore({ sql });
    const enquiryStore = await sqlEnquiryStore({ sql });
    const webhookStore = await sqlWebhookStore({ sql });
    const auditStore = await sqlAuditStore({ sql });
    const requestStore = await sqlRequestStore({ sql });
    const domainStore = await sqlDomainStore({ sql });
    await counters?.setUp();
    const blobs = node === undefined ? openBlobs(sql) : keptWhileClaimed(openBlobs(sql), sql);
    const nodes = node === undefined ? undefined : sqlNodes(sql, node);
    // A node that lost its connection is still in the list.
    const alone = sql.shared !== true && (await nodes?.others()) !== true;
    // Those of killed processes. This node, whose data directory is locked, holds none yet.
    if (alone) await endLeases(sql);
    else if (node !== undefined) await endLeases(sql, node.id);
    await nodes?.places.clear();
    const leases = sqlLeases({ sql, clock, holder: node?.id });
    const people = { tokenStore, memberStore, mailStore, enquiryStore };
    const kept = { webhookStore, auditStore, requestStore };
    const stores = {
      store,
      blobs,
      projectStore,
      importStore,
      ...people,
      ...kept,
      domainStore,
      counters,
    };
    const backups = node === undefined ? undefined : historyInSql(sql);
    return {
      ...stores,
      leases,
      nodes,
      backups,
      alone,
      writes,
      clock,
      close: () => store.close(),
    };
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/** Wraps blobs so that none is deleted while any process reads an older state of the database. */
function keptWhileClaimed(blobs: Blobs, sql: Sql): Blobs {
  return {
    ...blobs,
    // The collector finds them again in its next round. Imported on demand: SQLite does not need it.
    delete: async (sha256, putBefore) => {
      const { isClaimed } = await import("../adapters/postgres/claim.ts");
      if (!(await isClaimed(sql))) await blobs.delete(sha256, putBefore);
    },
  };
}

export type Petstores = Readonly<Record<Environment, Petstore>>;

/** Everything that an installation does. */
export interface Service {
  readonly petstores: Petstores;
  readonly publishing: Publishing;
  readonly management: Management;
  readonly members: Members;
  readonly mail: InstallationMail;
  readonly notices: Notices;
  readonly imports: Imports;
  readonly enquiries: Enquiries;
  readonly webhooks: Webhooks;
  readonly audit: Audit;
  readonly requests: Requests;
  readonly domains: CustomDomains;
  /** Calls the management API in this process; may do anything. */
  readonly client: PetstoreClient;
  /** Returns where limits are counted, and the state of Redis; undefined if in the memory of this process. */
  readonly limitsStatus: (() => LimitsStatus) | undefined;
  /** Starts the background jobs. */
  start(): void;
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly loaded: LoadedSettings;
  readonly directory: DataDirectory;
  readonly runtime: Runtime;
  /** 32 bytes. A secret. */
  readonly encryptionKey: Uint8Array;
  readonly domainParts: DomainParts;
  readonly log: Log;
  /** Default: the ports that the settings name. */
  readonly ports?: Ports;
  /** Called after every answer of the public API. */
  readonly onAnswer?: ((answered: Answered) => void) | undefined;
  readonly observe?: Observe | undefined;
  readonly observeMail?: ((observation: MailObservation) => void) | undefined;
  readonly observeWebhook?: ((observation: DeliveryObservation) => void) | undefined;
  /** This process, if it serves. */
  readonly node?: Pick<Node, "list" | "leavesWork">;
}

/** Wires an installation: Production and Staging over one store, and everything around them. Starts nothing. */
export function composeService(storage: Storage, options: ServiceOptions): Service {
  const { blobs, importStore, tokenStore, memberStore, enquiryStore, domainStore, leases } =
    storage;
  const { auditStore } = storage;
  const store = shareFeed(storage.store, systemClock);
  const { loaded, encryptionKey, domainParts, log, ports, onAnswer, observe } = options;
  const { settings } = loaded;
  const limits =
    storage.counters === undefined
      ? undefined
      : countTogether(storage.counters, storage.redis, log);
  const setupAddress = `${baseAddress(settings, ports)}/setup`;
  const addressOf = siteAddress(settings, ports);
  const { nodes } = storage;
  const shared = {
    store,
    encryptionKey,
    log,
    digest: bunDigest,
    takeTurn: nodes && turnsOf(leases),
    limiter: limits?.limiter,
  };
  const audit = createAudit({
    store,
    auditStore,
    keepMs: settings.auditKeep,
    digest: bunDigest,
    takeTurn: shared.takeTurn,
    log,
  });
  const requests = createRequests({
    store,
    requestStore: storage.requestStore,
    keepMs: settings.requestsKeep,
    takeTurn: shared.takeTurn,
    log,
  });
  const pictures = pictureProcess({ clock: systemClock });
  const answers = {
    ...shared,
    eventsReadThrough: () => audit.readThrough(),
    adoptersKeepMs: settings.adoptersKeep,
    servers: publicServers(settings, ports),
    onAnswer,
    requestLog: requests.requestLog,
    images: pictures.images,
    blobs,
    photoBytes: {
      free: settings.photoBytesFree,
      pro: settings.photoBytesPro,
      business: settings.photoBytesBusiness,
    },
    isShown: (pet: StoredPet, catalogueId: number) => publishing.isShown(pet, catalogueId),
    photoHost: (catalogueId: number) => publishing.photoHost(catalogueId),
  };
  const petstores = {
    production: createPetstore({ ...answers, environment: "production" }),
    staging: createPetstore({ ...answers, environment: "staging" }),
  };
  const client = clientOfBoth(petstores);
  // Only other nodes can change what this one remembers.
  const staleRoutesForMs = nodes && settings.staleRoutesFor;
  const projectStore = keepingFiles(storage.projectStore, importStore);
  const mail = createMail({
    ...shared,
    mailStore: storage.mailStore,
    service: mailAccess(settings),
    observe: options.observeMail,
  });
  const { limiter: _limiter, ...uncounted } = shared;
  const notices = createNotices({
    ...uncounted,
    memberStore,
    mail,
    dashboardAddress: baseAddress(settings, ports),
    languageOf: (accountId) => languageOfAccount(projectStore, accountId),
    shownDomain: unicodeOf,
    onEnquiry: (catalogueId, id) =>
      enquiries.ensureMail(catalogueId, id, (projectId) =>
        siteEmail(publishing.projects, projectId),
      ),
  });
  const enquiries = createEnquiries({
    ...shared,
    enquiryStore,
    mail,
    keepMs: settings.enquiriesKeep,
    addressOf: (accountId, enquiryId) =>
      new URL(`accounts/${accountId}/enquiries?enquiry=${enquiryId}`, setupAddress).href,
    ownersOf: async (accountId) =>
      (await memberStore.list(accountId))
        .filter(({ role }) => role === "owner")
        .map(({ email }) => email),
  });
  const { allowPrivateNetworks } = settings;
  const webhooks = createWebhooks({
    store,
    webhookStore: storage.webhookStore,
    sender: webhookSender({ allowPrivateNetworks }),
    encryptionKey,
    digest: bunDigest,
    takeTurn: shared.takeTurn,
    observe: options.observeWebhook,
    log,
  });
  const publishing = createPublishing({
    addressOfProject: async ({ id, slug }) => {
      const isLive = (domain: Domain): boolean => systemClock.now() < destinationUntil(domain);
      const own = (await domainStore.domains.ofProject(id)).find(isLive);
      if (own !== undefined) return domainAddress(settings, ports)(own.name);
      // Each of our own hosts has a certificate of its own.
      const host = await siteHosts?.ofProject(id);
      const held = host === undefined ? undefined : await domainStore.domains.holderOf(host);
      const isReady = siteHosts === undefined || (held !== undefined && isLive(held));
      return isReady ? addressOf(slug) : undefined;
    },
    store,
    projectStore,
    blobs,
    compress: nodeCompress,
    // Imported with the first description of an animal: most runs of a server never need it.
    markdown: async (text) => (await import("../adapters/markdown.ts")).markdown(text),
    enquiries: enquiries.desk,
    reserved: reservedSlugs(settings),
    alone: storage.alone,
    takeTurn: shared.takeTurn,
    staleRoutesForMs,
    log,
  });
  const { projects } = publishing;
  const siteHosts = siteHostsOf(settings, domainParts, projects);
  const domains = createDomains({
    ...domainParts,
    siteHosts,
    observe,
    takeTurn: shared.takeTurn,
    staleRoutesForMs,
    store,
    domainStore,
    leases,
    encryptionKey,
    gatekeeper: projectGatekeeper({ store, projectStore }),
    siteMaps: projectSiteMaps(projectStore),
    shareAddress: new URL("share", setupAddress).href,
    onOverdue: overdueMails({
      mail,
      readers: notices.readers,
      hasOperator: async () => (await memberStore.list(undefined)).length > 0,
      acmeEmail: settings.acmeEmail,
      pageAt: (path) => new URL(path, setupAddress).href,
    }),
    leaveToOthers: () => options.node?.leavesWork === true,
    log,
  });
  const members = createMembers({
    ...shared,
    memberStore,
    passwords: bunPasswords,
    // Imported when a member chooses a password: most runs of a server never need it.
    leaked: { ranks: async () => (await import("./passwords/leaked.ts")).leakedRanks() },
    passkeys,
    mail,
    resetAddress: new URL("reset", setupAddress).href,
  });
  const imports = createImports({
    store,
    importStore,
    blobs,
    workbooks: workbooks(),
    photos: petstores.production.photos,
    fetchPicture: pictureFetch({ allowPrivateNetworks }),
    alone: storage.alone,
    takeTurn: shared.takeTurn,
    log,
  });
  const system = systemOf({
    ...options,
    nodes: async () => (await (options.node ?? storage.nodes)?.list()) ?? [],
    mail,
    sample: { client, projects, addressOf },
  });
  const management = createManagement({
    ...shared,
    places: nodes?.places,
    tokenStore,
    sessions: members.sessions,
    client,
    projects,
    photos: petstores.production.photos,
    addressOf,
    // A certificate for each preview would publish its address.
    previews: siteHosts === undefined,
    setupAddress,
    more: [
      ...domains.endpoints,
      ...members.endpoints,
      ...imports.endpoints,
      ...enquiries.endpoints,
      ...webhooks.endpoints,
      ...audit.endpoints,
      ...requests.endpoints,
      ...systemEndpoints(system),
    ],
  });
  const { production, staging } = petstores;
  const parts = [
    limits,
    // Ends after those whose requests it records.
    requests,
    production,
    staging,
    publishing,
    mail,
    management,
    members,
    notices,
    imports,
    enquiries,
    webhooks,
    audit,
    domains,
  ];
  return {
    petstores,
    publishing,
    management,
    members,
    mail,
    notices,
    imports,
    enquiries,
    webhooks,
    audit,
    requests,
    domains,
    client: managementClient<PetstoreOperations>({
      send: async (request) => management.fetch(request, { principal: local }),
    }),
    limitsStatus: limits?.status,
    start: () => {
      for (const part of parts) part?.jobs.start();
    },
    close: async () => {
      for (const part of parts.toReversed()) await part?.close();
      await pictures.close();
    },
  };
}

/** Returns a project store whose blobs are needed for imports too. */
function keepingFiles(projectStore: ProjectStore, importStore: ImportStore): ProjectStore {
  return {
    ...projectStore,
    blobs: {
      ...projectStore.blobs,
      needed: async (names) =>
        new Set([...(await projectStore.blobs.needed(names)), ...(await importStore.files(names))]),
    },
  };
}

/** Counts the limits together with the other processes on the database. */
function countTogether(postgres: PostgresCounters, redis: RedisCounters | undefined, log: Log) {
  const limits = sharedLimits({ postgres, redis, log });
  const tending = { what: "tending the limits", run: () => limits.tend() };
  const saving = { what: "saving the limits", run: () => limits.save() };
  const jobs = createRounds({
    clock: systemClock,
    log,
    errands: [tending],
    last: [saving],
  });
  const close = async (): Promise<void> => {
    await jobs.stop();
    limits.close();
  };
  return { limiter: limits.limiter, status: () => limits.status, jobs, close };
}

/** Divides work among nodes: the first that asks gets the lease, and keeps it until the work is due again. */
export function turnsOf(leases: Leases): TakeTurn {
  return async (what, everyMs) =>
    (await leases.acquire(`turn:${what}`, everyMs * TURN_SHARE)) !== undefined;
}

/** Below 1, so that the node which had the last turn is not refused the next one for being punctual. */
const TURN_SHARE = 0.9;

/** Uses a service over a database in memory: for commands that need no installation. */
export async function withTransientService<Value>(
  loaded: LoadedSettings,
  runtime: Runtime,
  use: (service: Service) => Promise<Value>,
): Promise<Value> {
  const storage = await openStorage(await bunSqliteSql({ path: ":memory:" }), () => memoryBlobs());
  const service = composeService(storage, {
    loaded,
    directory: dataDirectory(loaded.settings.dataDir),
    runtime,
    // Signs and seals nothing that is kept.
    encryptionKey: new Uint8Array(32),
    domainParts: await transientParts(loaded.settings, runtime),
    log: silentLog,
  });
  try {
    return await use(service);
  } finally {
    await service.close();
    await storage.close();
  }
}

/**
 * Returns the client of two petstores over one store. Each petstore counts the requests and violations of its own keys,
 * so `limits.read` and `keys.unban` go to the petstore of the key.
 */
export function clientOfBoth({ production, staging }: Petstores): ForActors<LocalClient> {
  const clientOf = (actor: Actor): LocalClient => {
    const client = production.client.as(actor);
    const other = staging.client.as(actor);
    return {
      ...client,
      limits: {
        read: (input) => (input.environment === "staging" ? other : client).limits.read(input),
      },
      keys: {
        ...client.keys,
        unban: async (keyId) => {
          const lifted = await other.keys.unban(keyId);
          // The second call changes only what this petstore remembers.
          return lifted.ok ? client.keys.unban(keyId) : lifted;
        },
      },
    };
  };
  return forActors(clientOf);
}
