import { bunDigest } from "../adapters/hosts/bun.ts";
import { nodeCompress } from "../adapters/compress.ts";
import { passkeys } from "../adapters/passkeys.ts";
import { bunPasswords } from "../adapters/passwords-bun.ts";
import type { LimitsStatus } from "../adapters/redis/handed-limits.ts";
import { bunSqliteSql } from "../adapters/sqlite/bun.ts";
import { workbooks } from "../adapters/workbooks.ts";
import {
  createDomains,
  projectGatekeeper,
  projectSiteMaps,
  type CustomDomains,
  type Observe,
} from "../domains/index.ts";
import { destinationUntil, type Domain } from "../domains/model/domain.ts";
import { unicodeOf } from "../domains/model/idna.ts";
import type { PetstoreClient, PetstoreOperations } from "../domains/operations.ts";
import { createImports, type Imports, type ImportStore } from "../lib/import/index.ts";
import { silentLog } from "../lib/base/log.ts";
import {
  createPetstore,
  shareFeed,
  systemClock,
  type Answered,
  type Log,
  type StoredPet,
} from "../lib/index.ts";
import { createMail, type InstallationMail, type MailObservation } from "../lib/mail/index.ts";
import {
  createManagement,
  local,
  managementClient,
  systemEndpoints,
  type Management,
} from "../lib/management/index.ts";
import { createMembers, createNotices, type Members, type Notices } from "../lib/members/index.ts";
import { createAudit, type Audit } from "../lib/audit/index.ts";
import { createEnquiries, type Enquiries } from "../lib/enquiries/index.ts";
import { createRequests, type Requests } from "../lib/requests/index.ts";
import {
  createPublishing,
  memoryBlobs,
  siteEmail,
  type ProjectStore,
  type Publishing,
} from "../lib/publishing/index.ts";
import { createWebhooks, type DeliveryObservation, type Webhooks } from "../lib/webhooks/index.ts";
import type { LoadedSettings } from "../settings/load.ts";
import {
  baseAddress,
  domainAddress,
  publicServers,
  reservedSlugs,
  siteAddress,
  type Ports,
} from "../settings/public-address.ts";
import { dataDirectory, type DataDirectory } from "./data/data-directory.ts";
import { pictureFetch } from "./fetch-picture.ts";
import { siteHostsOf, transientParts, type DomainParts } from "./domain-parts.ts";
import { languageOfAccount, mailAccess } from "./mail.ts";
import { overdueMails } from "./overdue-mail.ts";
import type { Node } from "./nodes/nodes.ts";
import { pictureProcess } from "./pictures/process.ts";
import type { Runtime } from "./process/runtime.ts";
import { systemOf } from "./system/create.ts";
import { webhookSender } from "./webhook-sender.ts";
import { openStorage, type Storage } from "./data/storage.ts";
import { clientOfBoth, type Petstores } from "./client-of-both.ts";
import { countTogether, turnsOf } from "./nodes/together.ts";

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
