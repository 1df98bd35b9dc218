import { SECOND_MS } from "../../lib/base/clock.ts";
import { problem, type Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { LookAtBaseDomain } from "../../domains/index.ts";
import { readOwnDomain } from "../../domains/index.ts";
import type { BaseDomainReport, System, SystemReport } from "../../lib/management/index.ts";
import { optionsFor, recordsFor } from "../base-domain/advice.ts";
import { candidate } from "../base-domain/candidate.ts";
import { judge, judgeWithout } from "../base-domain/judge.ts";
import type { Context } from "../command.ts";
import type { DataDirectory } from "../data-directory.ts";
import { examine } from "../examine.ts";
import { isLocal } from "../options.ts";
import type { LoadedSettings } from "../settings.ts";
import { checkOf, settingsOf } from "./report.ts";
import { sharedLook, sharedLooks } from "./shared-looks.ts";

export interface SystemOptions {
  readonly loaded: LoadedSettings;
  readonly directory: DataDirectory;
  readonly context: Context;
  /** Where people find the dashboard. */
  readonly address: string;
  readonly look: LookAtBaseDomain;
  /** Public addresses of this machine. */
  readonly machine: () => readonly string[];
  readonly sampleShelter: System["sampleShelter"];
}

const FRESH_MS = 5 * SECOND_MS;
/** A page that waits for an answer does not wait longer. */
const PATIENCE_MS = 15 * SECOND_MS;

/** What the program can say of itself and of the names that may lead to it. */
export function createSystem({
  loaded,
  directory,
  context,
  address,
  look,
  machine,
  sampleShelter,
}: SystemOptions): System {
  const { settings } = loaded;
  const { clock, version } = context;
  const { allowPrivateNetworks: allowPrivate, baseDomain } = settings;
  const startedAt = clock.now();
  const own = { version, startedAt, baseDomain, address, settings: settingsOf(loaded) };

  const report = sharedLook({ clock, freshMs: FRESH_MS }, async (): Promise<SystemReport> => {
    const subject = { settings, directory, context, serving: true };
    const findings = await examine(subject, PATIENCE_MS);
    return { ...own, checks: findings.map(checkOf) };
  });

  const lookedAt = sharedLooks({ clock, freshMs: FRESH_MS }, async (name) => {
    const asked = candidate(name, settings, machine());
    const facts = await look(asked.names, asked.secure);
    return reportOf(asked, judge(asked, facts));
  });

  const reportOf = (
    asked: ReturnType<typeof candidate>,
    checks: BaseDomainReport["checks"],
  ): BaseDomainReport => ({
    name: asked.name,
    addresses: asked.addresses,
    checks,
    records: recordsFor(asked),
    configuration: optionsFor(asked, settings),
  });

  const baseDomainReport = async (
    entered: string = baseDomain,
  ): Promise<Result<BaseDomainReport, Problem>> => {
    const local = entered.trim().toLowerCase();
    if (isLocal(local)) {
      const asked = candidate(local, settings, machine());
      const code = local === "localhost" ? "this_computer" : "ip_address";
      return done(reportOf(asked, judgeWithout(asked, code)));
    }
    const read = readOwnDomain(entered, { allowPrivate });
    if (!read.ok) return refused(problem("invalid_parameter", `"name": ${read.failure}`));
    const { name, barred } = read.value;
    if (barred !== undefined) {
      const checks = judgeWithout({ name }, barred);
      return done({ name, addresses: machine(), checks, records: [], configuration: [] });
    }
    const found = lookedAt(name);
    return found === undefined ? refused(tooMany) : done(await found);
  };

  return {
    report,
    baseDomain: baseDomainReport,
    sampleShelter,
  };
}

const tooMany: Problem = problem(
  "unavailable",
  "Other names are being looked at right now. Try again when they are done.",
  { retryAfterSeconds: 10 },
);
