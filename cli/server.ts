import type { Answered, Environment, LocalClient, Log, Servers } from "../lib/index.ts";
import type { CustomDomains } from "../domains/index.ts";
import { local } from "../lib/management/index.ts";
import { tellOfAuthority } from "./certificate-news.ts";
import type { Context } from "./command.ts";
import { customParts } from "./domain-parts.ts";
import type { DataDirectory } from "./data-directory.ts";
import { drain } from "./drain.ts";
import { examine } from "./examine.ts";
import { firstLink, firstOperator, type FirstLink } from "./first-operator.ts";
import { createFront, type Front, type Handler } from "./front.ts";
import { listen, listenBeside, type Listener } from "./listener.ts";
import { openHttps } from "./https.ts";
import { listenForMetrics, permissionOf } from "./metrics-listener.ts";
import type { Metrics } from "./metrics.ts";
import { membership } from "./networks.ts";
import { isLocal, options, type Settings } from "./options.ts";
import type { Own } from "./own.ts";
import {
  baseAddress,
  publicServers,
  securePort,
  reservedSlugs,
  siteAddress,
  sitesDomain,
} from "./public-address.ts";
import { createReadiness } from "./readiness.ts";
import type { Addresses } from "./server-status.ts";
import type { LoadedSettings } from "./settings.ts";
import { serveSocket } from "./socket-server.ts";
import { turnAwayNewConnections } from "./turn-away.ts";
import { systemOf } from "./system/parts.ts";

/** A service that answers. */
export interface Server {
  /** For whoever is on this machine. */
  readonly addresses: Addresses;
  /** For visitors, `/v1` included. */
  readonly servers: Servers;
  /** Address of a project's site by its slug. */
  readonly addressOf: (slug: string) => string;
  /** The dashboard. */
  readonly dashboard: string;
  readonly client: LocalClient;
  /** Makes the one setup link that is good; undefined where somebody can sign in already. */
  readonly firstLink: () => Promise<FirstLink | undefined>;
  readonly peopleCanSignIn: () => Promise<boolean>;
  /** Finishes what is under way, writes what is not written, and lets go of the directory. */
  stop(): Promise<void>;
}

interface ServerOptions {
  readonly loaded: LoadedSettings;
  readonly directory: DataDirectory;
  /** Belongs to the server from now on, also when it does not come to be. */
  readonly own: Own;
  readonly context: Context;
  readonly log: Log;
}

/** Listens, wires and starts. Rejects with a `Failure` that names the option at fault. */
export async function startServer(serverOptions: ServerOptions): Promise<Server> {
  const { loaded, directory, own, context, log } = serverOptions;
  const { settings } = loaded;
  const { encryptionKey } = own;
  const { clock, version } = context;
  await using opening = new AsyncDisposableStack();
  opening.defer(() => own.close());

  // Ports first: the description of the API names those that were really given to us.
  // Who comes before all is wired waits for a moment.
  let front: Front | undefined;
  const wired = Promise.withResolvers<Front>();
  wired.promise.catch(() => undefined);
  opening.defer(() => wired.reject(new Error("The service did not start.")));
  const handlerOf =
    (environment: Environment): Handler =>
    (request, server) =>
      front?.handle(environment, request, server) ??
      wired.promise.then((whole) => whole.handle(environment, request, server));
  const production = listen(settings.listen, options.listen.name, handlerOf("production"));
  opening.defer(() => production.end());

  const https = await openHttps(settings, { clock, log });
  if (https !== undefined) opening.defer(() => https.end());

  let served: CustomDomains | undefined;
  // Fetched where somebody asks for them: most starts need not wait for the library.
  const measured =
    settings.metricsListen === "off"
      ? undefined
      : (await import("./metrics.ts")).createMetrics(version);
  const permitted = permissionOf(settings, () => served?.routes);
  const metrics = listenForMetrics(settings, measured, permitted);
  if (metrics !== undefined) opening.defer(() => metrics.end());
  // Last: the automatic port must not take one that another option names.
  const staging = listenStaging(settings, production, handlerOf("staging"));
  if (staging !== undefined) opening.defer(() => staging.end());
  const store = measured?.measured(own.storage.store) ?? own.storage.store;

  const ports = {
    production: production.endpoint.port,
    staging: staging?.endpoint.port,
    https: https?.listener.endpoint.port,
  };
  const servers = publicServers(settings, ports);
  const onAnswer = observer(settings, log, measured);
  const addressOf = siteAddress(settings, ports);
  const address = baseAddress(settings, ports);
  const parts = await customParts({ settings, directory, encryptionKey, clock, version, ports });
  const { petstores, publishing, management, members, custom } = own.storage.createService({
    store,
    encryptionKey,
    servers,
    addressOf,
    reserved: reservedSlugs(settings),
    setupAddress: `${address}/setup`,
    custom: { ...parts, ...(measured === undefined ? {} : { observe: measured.observed }) },
    system: systemOf({ loaded, directory, context, encryptionKey, custom: parts, ports }),
    log,
    ...(onAnswer === undefined ? {} : { onAnswer }),
  });
  served = custom;
  const { production: live, staging: trial } = petstores;
  for (const part of [live, trial, publishing, management, members, custom]) {
    opening.defer(() => part.close());
    part.jobs.start();
  }
  const { client } = petstores.production;
  // Before anybody is let in: whoever has a setup link comes too late.
  await firstOperator({ members, settings, log });

  const { trustedProxies, baseDomain } = settings;
  front = createFront({
    petstores,
    publishing,
    management,
    dashboard: context.composition.dashboard,
    guides: context.composition.guides,
    servers,
    address,
    baseDomain,
    sitesDomain: sitesDomain(settings),
    addressOf,
    trusted: trustedProxies.length === 0 ? undefined : membership(trustedProxies),
    ready: createReadiness({ store, writes: own.storage.writes, clock, log }),
    hstsSeconds: settings.hstsSeconds,
    custom: {
      routes: custom.routes,
      challenges: custom.challenges,
      presence: custom.presence,
      hasCertificate: https === undefined ? undefined : (host) => https.hasCertificate(host),
      publicHttpsPort: securePort(settings, ports),
    },
  });
  const entrance = front;
  wired.resolve(front);
  if (https !== undefined) {
    https.serve(entrance, custom);
    const stopping = new AbortController();
    opening.defer(() => stopping.abort());
    const { caRoot } = directory;
    void tellOfAuthority(parts.authorities[0], { clock, log, caRoot }, stopping.signal);
    measured?.watch({
      custom,
      connections: () => https.listener.connections,
      clock,
    });
  }
  const listeners = [production, staging, https?.listener].filter((one) => one !== undefined);

  const addresses = {
    production: production.origin,
    staging: staging?.origin,
    https: https?.listener.origin,
    metrics: metrics?.origin,
  };
  const status = { version, pid: process.pid, addresses };
  const socket = serveSocket({
    path: directory.socket,
    manage: (request) => management.fetch(request, { principal: local }),
    status,
    examine: () => examine({ settings, directory, context, serving: true }),
    log,
  });
  opening.defer(() => socket.close());

  const opened = opening.move();
  return {
    addresses,
    servers,
    addressOf,
    dashboard: `${address}/`,
    client,
    firstLink: () => firstLink({ members, management }),
    peopleCanSignIn: () => members.any(),
    stop: async () => {
      // Readers of events would stay for ever.
      await management.close();
      await drain({
        front: entrance,
        listeners: [...listeners, socket],
        turnAway: () => turnAwayNewConnections(listeners.map(({ endpoint: { port } }) => port)),
        clock,
        log,
      });
      await opened.disposeAsync();
    },
  };
}

function listenStaging(
  { stagingListen, baseDomain }: Settings,
  production: Listener,
  handler: Handler,
): Listener | undefined {
  const option = options.stagingListen.name;
  if (stagingListen === "off") return undefined;
  if (stagingListen !== "auto") return listen(stagingListen, option, handler);
  return isLocal(baseDomain) ? listenBeside(production.endpoint, option, handler) : undefined;
}

/** Who wants to hear of every answer; undefined when nobody does, for it costs. */
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
