import { SECOND_MS } from "../../lib/base/clock.ts";
import { problem, type Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { InstallationMail } from "../../lib/mail/index.ts";
import {
  createBaseDomainLook,
  isPublicAddress,
  readOwnDomain,
  type CertificateAuthority,
  type LookAtBaseDomain,
} from "../../domains/index.ts";
import type {
  BaseDomainReport,
  System,
  SystemReport,
  SystemCheck,
  SystemSetting,
} from "../../lib/management/index.ts";
import { optionsFor, recordsFor, candidate } from "../base-domain/candidate.ts";
import { judge, judgeWithout } from "../base-domain/judge.ts";
import { publicAuthorities } from "../authority.ts";
import type { DomainParts } from "../domain-parts.ts";
import type { Runtime } from "../process/runtime.ts";
import { createSampleShelter, type SampleSources } from "../sample/make.ts";
import { baseAddress, type Ports } from "../../settings/public-address.ts";
import type { DataDirectory } from "../data/data-directory.ts";
import { examine } from "../checks/examine.ts";
import type { Settings } from "../../settings/options.ts";
import { isLocal } from "../../settings/domain-names.ts";
import type { LoadedSettings } from "../../settings/load.ts";
import { sharedCheck, sharedChecks } from "./shared-checks.ts";
import type { Finding } from "../checks/check.ts";
import { checkTitles } from "../checks/words.ts";
import { shownSettings } from "../../settings/shown.ts";
import { networkInterfaces } from "node:os";

export interface SystemOptions {
  readonly loaded: LoadedSettings;
  readonly directory: DataDirectory;
  readonly runtime: Runtime;
  /** Address of the dashboard. */
  readonly address: string;
  readonly checkBaseDomain: LookAtBaseDomain;
  /** Returns the public addresses of this machine. */
  readonly machine: () => readonly string[];
  readonly nodes: System["nodes"];
  readonly testMail: System["testMail"];
  readonly sampleShelter: System["sampleShelter"];
}

/** Creates the system pages of a service: over its own settings, and with checks of the real DNS. */
export function systemOf({
  loaded,
  directory,
  runtime,
  encryptionKey,
  domainParts,
  ports,
  nodes,
  mail,
  sample,
}: Pick<SystemOptions, "loaded" | "directory" | "runtime" | "nodes"> & {
  /** A secret. */
  readonly encryptionKey: Uint8Array;
  readonly domainParts: DomainParts;
  readonly ports?: Ports;
  readonly mail: Pick<InstallationMail, "sendTest">;
  readonly sample: SampleSources;
}): System {
  const { settings } = loaded;
  const { resolvers, allowPrivateNetworks, publicPorts, portOf } = domainParts;
  return createSystem({
    loaded,
    directory,
    runtime,
    address: baseAddress(settings, ports),
    checkBaseDomain: createBaseDomainLook({
      resolvers,
      encryptionKey,
      authorities: () => futureAuthorities(settings, runtime),
      clock: runtime.clock,
      allowPrivateNetworks,
      publicPorts,
      portOf,
    }),
    machine: machineAddresses,
    nodes,
    testMail: async (to, language) => {
      const url = `${baseAddress(settings, ports)}/`;
      const delivery = await mail.sendTest({ to, language, url });
      if (delivery === undefined) return refused(noMailServer);
      if (delivery.outcome === "sent") {
        return done({ outcome: "sent", fault: null, code: null, said: null });
      }
      const { outcome, fault, code = null, said } = delivery;
      return done({ outcome, fault, code, said });
    },
    sampleShelter: (author, actor) =>
      createSampleShelter(
        { ...sample, client: sample.client.as(actor), projects: sample.projects.as(actor) },
        author,
      ),
  });
}

/** Returns the CAs that issue certificates once the service listens for HTTPS; none if a proxy terminates TLS. */
async function futureAuthorities(
  settings: Settings,
  runtime: Runtime,
): Promise<readonly CertificateAuthority[]> {
  const proxied = settings.listenHttps === "off" && settings.trustedProxies.length > 0;
  return proxied || settings.tlsCertFile !== undefined ? [] : publicAuthorities(settings, runtime);
}

const FRESH_MS = 5 * SECOND_MS;
/** How long a page waits for a report. */
const PATIENCE_MS = 15 * SECOND_MS;

/** Reports on the program itself and on the names that may become its base domain. */
export function createSystem({
  loaded,
  directory,
  runtime,
  address,
  checkBaseDomain,
  machine,
  nodes,
  testMail,
  sampleShelter,
}: SystemOptions): System {
  const { settings } = loaded;
  const { clock, version } = runtime;
  const { allowPrivateNetworks: allowPrivate, baseDomain } = settings;
  const startedAt = clock.now();
  const own = { version, startedAt, baseDomain, address, settings: settingsOf(loaded) };

  const report = sharedCheck({ clock, freshMs: FRESH_MS }, async (): Promise<SystemReport> => {
    const findings = await examine({ settings, directory, runtime, serving: true }, PATIENCE_MS);
    return { ...own, checks: findings.map(checkOf) };
  });

  const checkName = sharedChecks({ clock, freshMs: FRESH_MS }, async (name) => {
    const proposed = candidate(name, settings, machine());
    const facts = await checkBaseDomain(proposed.names, proposed.secure);
    return reportOf(proposed, judge(proposed, facts));
  });

  const reportOf = (
    proposed: ReturnType<typeof candidate>,
    checks: BaseDomainReport["checks"],
  ): BaseDomainReport => ({
    name: proposed.name,
    addresses: proposed.addresses,
    checks,
    records: recordsFor(proposed),
    configuration: optionsFor(proposed, settings),
  });

  const baseDomainReport = async (
    entered: string = baseDomain,
  ): Promise<Result<BaseDomainReport, Problem>> => {
    const local = entered.trim().toLowerCase();
    if (isLocal(local)) {
      const proposed = candidate(local, settings, machine());
      const code = local === "localhost" ? "this_computer" : "ip_address";
      return done(reportOf(proposed, judgeWithout(proposed, code)));
    }
    const read = await readOwnDomain(entered, { allowPrivate });
    if (!read.ok) return refused(problem("invalid_parameter", `"name": ${read.failure}`));
    const { name, barred } = read.value;
    if (barred !== undefined) {
      const checks = judgeWithout({ name }, barred);
      return done({ name, addresses: machine(), checks, records: [], configuration: [] });
    }
    const found = checkName(name);
    return found === undefined ? refused(tooMany) : done(await found);
  };

  return { report, baseDomain: baseDomainReport, nodes, testMail, sampleShelter };
}

const noMailServer: Problem = problem(
  "not_found",
  "No mail server is configured. Set smtp-url and mail-from.",
);

const tooMany: Problem = problem(
  "unavailable",
  "Other names are being checked. Try again when they are done.",
  { retryAfterSeconds: 10 },
);

const STATES = { ok: "ok", warn: "warning", fail: "failed", skip: "skipped" } as const;

/** Converts a finding of `doctor` to the form of the management API. */
function checkOf({ id, code, facts, status, message, fix }: Finding): SystemCheck {
  const texts = { title: checkTitles[id], message, fix: fix ?? null };
  return { id, state: STATES[status], code, data: facts, ...texts };
}

/** Returns every option, in the order of the table. */
function settingsOf(loaded: LoadedSettings): readonly SystemSetting[] {
  return Object.entries(shownSettings(loaded)).map(([name, { text, source }]) => ({
    name,
    value: text,
    origin: source,
  }));
}

/** Returns the public addresses of this machine; none behind a router or in a container. */
function machineAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return [...new Set(all.map(({ address }) => address))].filter(isPublicAddress);
}
