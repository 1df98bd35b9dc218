import { rm } from "node:fs/promises";

import { removeUnfinished } from "../backup/unfinished.ts";
import { createGuides } from "../dashboard/guides/serve.ts";
import { createDashboard } from "../dashboard/serve.ts";
import { isoTime } from "../lib/base/clock.ts";
import { createHoldings, type CustomDomains } from "../domains/index.ts";
import type { Answered, Environment, LocalClient, Log, Servers } from "../lib/index.ts";
import { local } from "../lib/management/index.ts";
import { membership } from "../settings/addresses.ts";
import type { LoadedSettings } from "../settings/load.ts";
import { options, type Settings } from "../settings/options.ts";
import { isLocal } from "../settings/domain-names.ts";
import {
  baseAddress,
  publicServers,
  securePort,
  siteAddress,
  sitesDomain,
} from "../settings/public-address.ts";
import { checkProfiles, logAuthority } from "./authority.ts";
import { examine } from "./checks/examine.ts";
import { blobPlaceOf, watchBucket } from "./data/blobs.ts";
import { createBackups, holdable } from "./backup/backups.ts";
import { historyInFile } from "./backup/state.ts";
import { composeService, type Service } from "./compose.ts";
import type { DataDirectory } from "./data/data-directory.ts";
import { domainPartsOf, type DomainParts } from "./domain-parts.ts";
import { drain, dropNewConnections } from "./listeners/drain.ts";
import { firstOperator } from "./first-operator.ts";
import { createFront, type Front, type Handler } from "./listeners/front.ts";
import { allowHeads, MAX_HEAD_BYTES } from "./listeners/head-limit.ts";
import { openHttps } from "./listeners/https.ts";
import type { Installation } from "./data/installation.ts";
import { listen, listenBeside, type Listener, type Shared } from "./listeners/listener.ts";
import { listenForMetrics, permissionOf } from "./listeners/metrics-listener.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { createNode } from "./nodes/nodes.ts";
import { createReadiness } from "./process/readiness.ts";
import type { Runtime } from "./process/runtime.ts";
import { serveSocket, type Addresses } from "./listeners/socket.ts";
import type { Watchdog } from "./process/watchdog.ts";

/** A running service. */
export interface Server {
  /** Addresses on this machine. */
  readonly addresses: Addresses;
  /** Addresses for visitors, `/v1` included. */
  readonly servers: Servers;
  /** Returns the address of a project's site by its slug. */
  readonly addressOf: (slug: string) => string;
  /** Address of the dashboard. */
  readonly dashboard: string;
  readonly client: LocalClient;
  /** Calls the management API in this process; may do anything. */
  readonly management: Service["client"];
  /** Returns the setup link, a secret, which all nodes show; undefined if a member exists. */
  readonly firstLink: () => Promise<
    { readonly url: string; readonly expiresAt: number } | undefined
  >;
  readonly peopleCanSignIn: () => Promise<boolean>;
  /** Finishes the requests under way, writes what is buffered, and releases the data directory. */
  stop(): Promise<void>;
}

interface ServerOptions {
  readonly loaded: LoadedSettings;
  readonly directory: DataDirectory;
  /** The server closes it, also if the start fails. */
  readonly installation: Installation;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly watchdog: Pick<Watchdog, "stalls">;
  /** Returns a command for the log, as the operator types it. */
  readonly typed: (command: string) => string;
  /** What the dashboard writes for the program in commands. */
  readonly programShown: string;
  /** What a world without the Internet has instead of what follows from the settings. Default: nothing. */
  readonly world?: Pick<DomainParts, "portOf" | "ownDomains">;
}

/** Listens, wires and starts. Rejects with a `Failure` that names the option at fault. */
export async function startServer(given: ServerOptions): Promise<Server> {
  const { loaded, directory, installation, log, watchdog, typed, programShown } = given;
  const { settings } = loaded;
  const { encryptionKey } = installation;
  const { clock } = installation.storage;
  const runtime: Runtime = { ...given.runtime, clock };
  const { version } = runtime;
  await using opening = new AsyncDisposableStack();
  opening.defer(() => installation.close());

  // Ports first: the description of the API names the ports that we really got. Early requests wait for the wiring.
  let front: Front | undefined;
  const wired = Promise.withResolvers<Front>();
  wired.promise.catch(() => undefined);
  opening.defer(() => wired.reject(new Error("The service did not start.")));
  const handlerOf =
    (environment: Environment): Handler =>
    (request, server) =>
      front?.handle(environment, request, server) ??
      wired.promise.then((whole) => whole.handle(environment, request, server));
  const proxies = settings.proxyProtocol
    ? { trusted: membership(settings.trustedProxies), clock }
    : undefined;
  allowHeads(MAX_HEAD_BYTES);
  // One limit for everything that clients make this process hold, whichever listener they use.
  const holdings = createHoldings({ clock, collect: () => Bun.gc(true) });
  opening.defer(() => holdings.close());
  const onError = (error: unknown): void => log.error("a request failed", error);
  const shared = { holdings, proxies, onError };
  const production = await listen(
    settings.listen,
    options.listen.name,
    handlerOf("production"),
    shared,
  );
  opening.defer(() => production.end());

  const https = await openHttps(settings, { clock, log, ...shared });
  if (https !== undefined) opening.defer(() => https.end());

  let served: CustomDomains | undefined;
  let limitsStatus: Service["limitsStatus"];
  // Imported on demand: a start without metrics need not load the library.
  const measured =
    settings.metricsListen === "off"
      ? undefined
      : (await import("./metrics/metrics.ts")).createMetrics(version);
  measured?.watchStalls(() => watchdog.stalls);
  const permitted = permissionOf(settings, () => served?.routes);
  const metrics = await listenForMetrics(settings, measured, permitted, { holdings, onError });
  if (metrics !== undefined) opening.defer(() => metrics.end());
  // Last: the automatic port must not take one that another option names.
  const staging = await listenStaging(settings, production, handlerOf("staging"), shared);
  if (staging !== undefined) opening.defer(() => staging.end());
  const held = holdable(installation.storage.blobs);
  const storage = {
    ...installation.storage,
    blobs: measured?.measuredBlobs(held.blobs) ?? held.blobs,
    store: measured?.measured(installation.storage.store) ?? installation.storage.store,
  };

  const ports = {
    production: production.endpoint.port,
    staging: staging?.endpoint.port,
    https: https?.endpoint.port,
  };
  const servers = publicServers(settings, ports);
  const addressOf = siteAddress(settings, ports);
  const address = baseAddress(settings, ports);
  const ofSettings = await domainPartsOf({
    settings,
    directory,
    encryptionKey,
    runtime,
    store: storage.store,
    shared: storage.nodes !== undefined,
    ports,
  });
  const domainParts = { ...ofSettings, ...given.world };
  await checkProfiles(domainParts.authorities, { clock, log });
  const node = createNode({
    nodes: storage.nodes,
    identity: installation.node,
    version,
    addresses:
      settings.nodeAddresses.length === 0 ? settings.edgeAddresses : settings.nodeAddresses,
    confirmedAt: () => served?.confirmedAt,
    limits: () => limitsStatus?.() ?? { limitsIn: "memory", redis: "off" },
    claimFiles: async () =>
      (await import("./backup/postgres.ts")).claim({ settings, directory }, { alone: false }),
    time: clock,
    log,
  });
  opening.defer(() => node.leave());
  const service = composeService(storage, {
    loaded,
    directory,
    runtime,
    encryptionKey,
    domainParts,
    log,
    ports,
    onAnswer: observer(settings, log, measured),
    observe: measured?.observed,
    observeMail: measured?.observedMail,
    observeWebhook: measured?.observedWebhook,
    node,
  });
  const { petstores, publishing, management, members, domains } = service;
  ({ limitsStatus } = service);
  measured?.watchLimits(limitsStatus ?? (() => ({ limitsIn: "memory", redis: "off" })));
  served = domains;
  opening.defer(() => service.close());
  service.start();
  node.jobs.start();
  measured?.watchNode(node);
  measured?.watchWebhooks(() => service.webhooks.state(), clock);
  measured?.watchAudit(() => service.audit.state());
  if (service.mail.enabled) measured?.watchMail(() => service.mail.state(), clock);
  // Before the first request: a setup link must not be used before the operator of the options exists.
  await firstOperator({ members, settings, log, typed });

  const ready = createReadiness({
    store: storage.store,
    writes: storage.writes,
    blobsReached: watchBucket(blobPlaceOf(settings, directory), { clock, log }),
    clock,
    log,
  });
  measured?.watchStore({ ready, path: directory.path });
  const { trustedProxies, baseDomain } = settings;
  const entrance = createFront({
    petstores,
    publishing,
    management,
    dashboard: createDashboard(
      async () => (await import("../dashboard/bundled.ts")).bundled,
      programShown,
    ),
    mails: service.notices.page,
    guides: createGuides(
      async () => (await import("../dashboard/guides/bundled.ts")).bundled,
      async () => (await management.fetch(new Request(`${address}/manage/v1/openapi.json`))).json(),
    ),
    servers,
    address,
    baseDomain,
    sitesDomain: sitesDomain(settings),
    addressOf,
    trusted: trustedProxies.length === 0 ? undefined : membership(trustedProxies),
    ready,
    hstsSeconds: settings.hstsSeconds,
    custom: {
      routes: domains.routes,
      challenges: domains.challenges,
      presence: domains.presence,
      hasCertificate: https === undefined ? undefined : (host) => https.hasCertificate(host),
      publicHttpsPort: securePort(settings, ports),
    },
  });
  const listeners = [production, staging, https].filter((one) => one !== undefined);

  const addresses = {
    production: production.origin,
    staging: staging?.origin,
    https: https?.origin,
    metrics: metrics?.origin,
  };
  // Plain copies of the database, which a killed process left.
  await Promise.all([
    removeUnfinished(directory.backupScratch),
    rm(directory.restoreScratch, { recursive: true, force: true }),
  ]);
  const history = storage.backups ?? historyInFile(directory);
  const backups = await createBackups({
    settings,
    directory,
    encryptionKey,
    runtime,
    hold: held.hold,
    history,
    onFailure: ({ at, reason, lastGoodAt }) => {
      const data = {
        reason,
        ...(lastGoodAt === undefined ? {} : { lastGoodAt: isoTime(lastGoodAt) }),
      };
      const event = {
        kind: "event.write",
        type: "backup.failed",
        accountId: "",
        at,
        data,
      } as const;
      return storage.store.commit([event], { kind: "system" });
    },
    record: ({ by, ...entry }) =>
      storage.store.commit([{ kind: "event.write", accountId: "", ...entry }], { kind: by }),
    leaveToOthers: () => node.leavesWork,
    log,
  });
  opening.defer(() => backups.jobs.stop());
  measured?.watchBackups(() => history.read(), clock);
  backups.jobs.start();
  const socket = serveSocket({
    path: directory.socket,
    manage: (request) => management.fetch(request, { principal: local }),
    status: { version, pid: process.pid, addresses, direct: production.direct },
    examine: () => examine({ settings, directory, runtime, serving: true }),
    backUp: (request) => backups.answer(request),
    keep: () => backups.keepBlobs(),
    holdings,
    log,
  });
  opening.defer(() => socket.close());

  // After the socket: whoever gets a response can also run commands.
  front = entrance;
  wired.resolve(front);
  if (https !== undefined) {
    https.serve(entrance, domains);
    const stopping = new AbortController();
    opening.defer(() => stopping.abort());
    const { caRoot } = directory;
    for (const authority of domainParts.authorities) {
      void logAuthority(authority, { clock, log, caRoot }, stopping.signal);
    }
    measured?.watch({ custom: domains, connections: () => https.connections, clock });
  }

  const opened = opening.move();
  return {
    addresses,
    servers,
    addressOf,
    dashboard: `${address}/`,
    client: petstores.production.client.as({ kind: "command" }),
    management: service.client,
    firstLink: async () => ((await members.any()) ? undefined : management.setupLink()),
    peopleCanSignIn: () => members.any(),
    stop: async () => {
      // Ends the event streams, which would never finish, and a backup, which may take long.
      await Promise.all([management.close(), backups.jobs.stop()]);
      await drain({
        front: entrance,
        listeners: [...listeners, socket],
        refuseConnections: () =>
          dropNewConnections(listeners.map(({ endpoint: { port } }) => port)),
        clock,
        log,
      });
      await opened.disposeAsync();
    },
  };
}

async function listenStaging(
  { stagingListen, baseDomain }: Settings,
  production: Listener,
  handler: Handler,
  shared: Shared,
): Promise<Listener | undefined> {
  const option = options.stagingListen.name;
  if (stagingListen === "off") return undefined;
  if (stagingListen !== "auto") return listen(stagingListen, option, handler, shared);
  return isLocal(baseDomain)
    ? listenBeside(production.endpoint, option, handler, shared)
    : undefined;
}

/** Returns the callback for every answer; undefined if neither log nor metrics need it, because it costs time. */
function observer(
  { logLevel }: Settings,
  log: Log,
  metrics: Metrics | undefined,
): ((answered: Answered) => void) | undefined {
  const logged =
    logLevel === "debug"
      ? (answered: Answered): void => log.debug("answered", { ...answered })
      : undefined;
  if (logged === undefined || metrics === undefined) return logged ?? metrics?.answered;
  return (answered) => {
    metrics.answered(answered);
    logged(answered);
  };
}
