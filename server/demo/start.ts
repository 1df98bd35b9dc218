import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";

import { DAY_MS } from "../../lib/base/clock.ts";
import type { Log } from "../../lib/index.ts";
import { codeOf, Failure } from "../../settings/failure.ts";
import { loadSettings, type LoadedSettings } from "../../settings/load.ts";
import { domainAddress } from "../../settings/public-address.ts";
import { composeService } from "../compose.ts";
import { dataDirectory } from "../data/data-directory.ts";
import { openInstallation, type Installation } from "../data/installation.ts";
import { transientParts } from "../domain-parts.ts";
import { machineClock, type Runtime } from "../process/runtime.ts";
import { startServer, type Server } from "../start.ts";
import { startAuthority } from "../../testing/domains/sandbox/certificate-authority.ts";
import { travelClock } from "./clock.ts";
import { openDemoDirectory } from "./directory.ts";
import { writeHistory, type Visitor } from "./history.ts";
import { startNameServer } from "../../testing/domains/sandbox/name-server.ts";
import { startReceivers, type Receivers } from "./receivers.ts";
import { startRegistrar } from "./registrar.ts";
import { createRegistrarZone } from "../../testing/domains/sandbox/registrar-zone.ts";
import { DOMAIN_TO_ADD, FIRST_RECORDS, MAIN_PROJECT, ZONE } from "./story.ts";
import { visitPlainly } from "../../testing/domains/sandbox/visit.ts";
import { LOOPBACK, NAME_SERVER, zoneWith, type Zone } from "../../testing/domains/sandbox/zones.ts";

/** A running demo. */
export interface Demo {
  /** Signs a browser in, once. A secret. */
  readonly link: string;
  readonly dashboard: string;
  readonly registrar: string;
  /** The page on which a domain is added. */
  readonly domainsPage: string;
  /** The domain to add. */
  readonly domain: string;
  /** Its address once it is live. */
  readonly site: string;
  /** The file with the root certificate that signs all certificates. */
  readonly root: string;
  /** The data directory, for commands. */
  readonly dataDir: string;
  /** Ends everything, and deletes the directory. */
  stop(): Promise<void>;
}

export interface DemoOptions {
  readonly runtime: Runtime;
  /** The port of the dashboard; 0: any that is free. Default: 8080, or any if that is in use. */
  readonly port: number | undefined;
  readonly log: Log;
  readonly typed: (command: string) => string;
  readonly programShown: string;
  /** Called with another link when the one before was opened a second time. */
  readonly onLink: (link: string) => void;
}

const PLATFORM = "petstore.localhost";
const SITES = "sites.localhost";
const CNAME_TARGET = `cname.${PLATFORM}`;
const MONTH_MS = 31 * DAY_MS;

/** Starts a registrar, a CA, and the service with a month of history, all of them on the loopback interface. */
export async function startDemo(given: DemoOptions): Promise<Demo> {
  const { runtime, log, typed, programShown, onLink } = given;
  await using opening = new AsyncDisposableStack();
  await using held = new AsyncDisposableStack();
  const port = await portOf(given.port, held);
  const { path, remove } = await openDemoDirectory(runtime.clock);
  opening.defer(remove);

  const receivers = startReceivers();
  opening.defer(() => receivers.close());
  const zone = createRegistrarZone(ZONE, FIRST_RECORDS);
  const zones = (): readonly Zone[] => [...PLATFORM_ZONES, zone.zone];
  const dns = await startNameServer(zones);
  opening.defer(() => dns.close());

  let server: Server | undefined;
  const authority = await startAuthority({
    clock: runtime.clock,
    visit: async (name, target) => {
      if (server === undefined) return undefined;
      const { port: httpPort } = new URL(server.addresses.production);
      return visitPlainly(zones(), Number(httpPort), { name, target });
    },
  });
  opening.defer(() => authority.close());
  const root = join(path, "root.pem");
  await writeFile(root, authority.root);

  const dataDir = join(path, "data");
  const loaded = await loadSettings({
    flags: {
      "data-dir": dataDir,
      listen: `${LOOPBACK}:${port}`,
      "listen-https": `${LOOPBACK}:${await freePort(held)}`,
      "sites-domain": SITES,
      "cname-target": CNAME_TARGET,
      "edge-addresses": LOOPBACK,
      "dns-servers": `${LOOPBACK}:${dns.port}`,
      acme: authority.directoryUrl,
      "acme-ca-file": root,
      "allow-private-networks": "true",
    },
    environment: {},
  });
  const world = { portOf: () => dns.port, ownDomains: [PLATFORM, SITES] };
  const opened = await openWithHistory(loaded, receivers, given);
  await held.disposeAsync();
  const running = await startServer({
    ...{ loaded, log, runtime, typed, programShown, world },
    directory: dataDirectory(dataDir),
    installation: opened.installation,
    watchdog: { stalls: 0 },
  });
  server = running;
  opening.defer(() => running.stop());

  await makeRequests(running.addresses.production, opened.visitor.key);
  const https = Number(new URL(running.addresses.https ?? "").port);
  const originOf = domainAddress(loaded.settings, { https });
  const registrar = await startRegistrar({
    zone,
    root: authority.root,
    petstore: running,
    visitor: opened.visitor,
    originOf,
    onLink,
  });
  opening.defer(() => registrar.close());
  const closing = opening.move();
  return {
    link: registrar.newLink(),
    dashboard: running.dashboard,
    registrar: registrar.address,
    domainsPage: `${running.dashboard}projects/${MAIN_PROJECT.slug}/domains`,
    domain: DOMAIN_TO_ADD,
    site: `${originOf(DOMAIN_TO_ADD)}/`,
    root,
    dataDir,
    stop: () => closing.disposeAsync(),
  };
}

/** Requests of the last minute, as of a website whose author mistyped a name once. */
const REQUESTS = [
  ...Array.from({ length: 24 }, (_, index) => `/v1/pets?limit=${4 + (index % 8)}`),
  "/v1/categories",
  "/v1/pets/1/profile",
  "/v1/pets?statsu=available",
  "/v1/pets/4711/profile",
];

async function makeRequests(origin: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "user-agent": "brightside-website/1.4" };
  for (const path of REQUESTS) {
    const response = await fetch(origin + path, { headers });
    await response.arrayBuffer();
  }
}

/** Names of the platform itself and of the registrar. */
const PLATFORM_ZONES: readonly Zone[] = [
  zoneWith(
    "localhost",
    [
      { name: NAME_SERVER, type: "A", value: LOOPBACK },
      { name: `*.${SITES}`, type: "A", value: LOOPBACK },
    ],
    1,
  ),
  zoneWith(PLATFORM, [{ name: `*.${CNAME_TARGET}`, type: "A", value: LOOPBACK }], 1),
];

/** Opens an installation that has a month behind it. */
async function openWithHistory(
  loaded: LoadedSettings,
  receivers: Receivers,
  { runtime, log }: Pick<DemoOptions, "runtime" | "log">,
): Promise<{ readonly installation: Installation; readonly visitor: Visitor }> {
  const { settings } = loaded;
  const now = runtime.clock.now();
  const clock = travelClock(machineClock, now - MONTH_MS);
  const directory = dataDirectory(settings.dataDir);
  const options = { directory, settings, create: true, onCopy: () => {}, clock };
  const installation = await openInstallation(options);
  if (!("storage" in installation)) throw new Error("The new directory is in use.");
  const { storage, encryptionKey } = installation;
  await using opening = new AsyncDisposableStack();
  opening.defer(() => installation.close());
  const traveller = { ...runtime, clock };
  const domainParts = await transientParts(settings, traveller);
  const service = composeService(storage, {
    ...{ loaded, directory, encryptionKey, domainParts, log },
    runtime: traveller,
  });
  const visitor = await writeHistory({ storage, service, clock, now, receivers });
  await service.close();
  clock.arrive();
  opening.move();
  return { installation, visitor };
}

/** Tried first, since people remember it. */
const USUAL_PORT = 8_080;

/** Returns the port that was asked for, or else a free one. Fails if another program has it. */
async function portOf(wanted: number | undefined, held: AsyncDisposableStack): Promise<number> {
  if (wanted === 0) return freePort(held);
  const port = wanted ?? USUAL_PORT;
  await using probes = new AsyncDisposableStack();
  // At any address that browsers try for `localhost`.
  const bound = [await boundPort(port, LOOPBACK, probes), await boundPort(port, "::1", probes)];
  if (!bound.includes("taken")) return port;
  if (wanted === undefined) return freePort(held);
  const message = `Port ${port} is in use by another program, or reserved. Choose another with --port, or leave it out.`;
  throw new Failure("configuration", message);
}

/** Returns a free port, because pages name the ports of the settings. It is taken until `held` is disposed of. */
async function freePort(held: AsyncDisposableStack): Promise<number> {
  const port = await boundPort(0, LOOPBACK, held);
  return typeof port === "number" ? port : 0;
}

/** Binds a port until `held` is disposed of; resolves with its number. */
async function boundPort(
  port: number,
  host: string,
  held: AsyncDisposableStack,
): Promise<number | "taken" | "no address"> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, "listening");
    held.defer(() => new Promise<void>((resolve) => void probe.close(() => resolve())));
    const address = probe.address();
    return typeof address === "object" && address !== null ? address.port : port;
  } catch (error) {
    // A machine without IPv6 has no such address.
    return ["EADDRINUSE", "EACCES"].includes(codeOf(error) ?? "") ? "taken" : "no address";
  }
}
