import { system } from "../../../lib/model/actor.ts";
import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { createAuthorityTime, type AuthorityTime } from "../../../domains/acme/authority-time.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { applyOutcome, type NewDomain } from "../../../domains/model/apply-outcome.ts";
import type { PipelineOptions } from "../../../domains/pipeline/context.ts";
import { createPipeline, type Pipeline } from "../../../domains/pipeline/pipeline.ts";
import type { CertificateAuthority } from "../../../domains/ports/authority.ts";
import type { DomainStore } from "../../../domains/ports/domain-store.ts";
import type { GateFacts } from "../../../domains/ports/projects.ts";
import type { Leases } from "../../../domains/ports/leases.ts";
import type { VerifierReport, VerifySubject } from "../../../domains/ports/verifier.ts";
import { createSeal, type Seal } from "../../../domains/storage/seal.ts";
import { sqlDomainStore } from "../../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../../domains/storage/sql-leases.ts";
import { rehearseHandshake } from "../../../domains/tls/rehearsal.ts";
import type { Clock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { silentLog } from "../../../lib/base/log.ts";
import type { Sql } from "../../../lib/sql/sql.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import type { Store } from "../../../lib/storage/store.ts";
import { manualClock, type ManualClock } from "../clock.ts";
import { migratedSql } from "../migrated.ts";
import { fakeAuthority, type FakeAuthority } from "./fake-authority.ts";
import { adding, someDomain, START } from "./rows.ts";

/** The controllable surroundings of a pipeline. Two pipelines over one world act as two processes. */
export interface World {
  readonly clock: ManualClock;
  readonly store: Store;
  readonly domains: DomainStore;
  readonly leases: Leases;
  readonly authority: FakeAuthority;
  readonly seal: Seal;
  /** The target label that each name points to. */
  readonly dns: Map<string, string>;
  /** Names that point to the service's addresses without a target label. */
  readonly aliases: Set<string>;
  /** The ownership tokens in each name's records. */
  readonly proofs: Map<string, string>;
  /** Names whose DNS does not respond. */
  readonly silent: Set<string>;
  /** The permissions by project; absent: everything is allowed. */
  readonly gates: Map<string, GateFacts>;
  /** How often the DNS was checked. */
  looks: number;
  /** How often only the authoritative servers were asked. */
  glances: number;
  readonly saved: Domain[];
  /** Creates the pipeline of one process, with its own clock comparison with the CA. */
  time(): AuthorityTime;
  pipeline(changes?: Partial<PipelineOptions>): Pipeline;
  /** Adds a domain with a correct record. */
  add(number: number, facts?: Partial<NewDomain>): Promise<Domain>;
  domain(id: string): Promise<Domain>;
  /** Removes a domain like its owner. */
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

/** Returns the validation of a CA that requests the challenge from the service with those stored challenges. */
export function validationOf(
  authority: FakeAuthority,
  domains: DomainStore,
  clock: Clock,
): FakeAuthority["validate"] {
  return async (name, kind) => {
    const number = authority.orders.findLast((order) => order.name === name)?.number ?? 0;
    const token = `${kind}-${number}`;
    const now = clock.now();
    const open =
      kind === "http-01"
        ? await domains.challenges.http01(name, token, now)
        : await domains.challenges.tlsAlpn01(name, now);
    if (open?.keyAuthorization === `${token}.thumbprint`) return true;
    return { code: "wrong_answer", message: "nothing there", names: [] };
  };
}

function openSql(path: string | undefined, clock: Clock): Promise<Sql> {
  return path === undefined ? migratedSql(clock) : bunSqliteSql({ path, clock });
}

export async function openWorld(
  path?: string,
  {
    clock = manualClock(START),
    authorityOver = fakeAuthority,
    sql: given,
  }: {
    readonly clock?: ManualClock;
    /** Default: a SQLite file at `path`, or without one a database in memory. */
    readonly sql?: Sql;
    /** Creates the CA with the host's clock. */
    readonly authorityOver?: (clock: Clock) => Promise<FakeAuthority>;
  } = {},
): Promise<World> {
  const sql = await (given ?? openSql(path, clock));
  const store = await sqlStore({ sql, clock });
  const domains = await sqlDomainStore({ sql, clock });
  const leases = sqlLeases({ sql, clock });
  const authority = await authorityOver(clock);
  const seal = createSeal(new Uint8Array(32).fill(7));
  // The CA requests the challenge from the service, so nothing else can be proven.
  authority.validate = validationOf(authority, domains, clock);
  const timeOf = (host: Clock, one: CertificateAuthority): AuthorityTime =>
    createAuthorityTime({ clock: host, authority: one, log: silentLog });
  const world: World = {
    clock,
    store,
    domains,
    leases,
    authority,
    seal,
    dns: new Map(),
    aliases: new Set(),
    proofs: new Map(),
    silent: new Set(),
    gates: new Map(),
    looks: 0,
    glances: 0,
    saved: [],
    time: () => timeOf(clock, authority),
    pipeline: (changes = {}) =>
      createPipeline({
        store: domains,
        leases,
        authorities: [authority],
        verifier: async (subject) => {
          world.looks++;
          return reportOn(world, subject);
        },
        look: async ({ name, targetLabel }) => {
          world.glances++;
          if (world.silent.has(name)) return "unseen";
          return world.dns.get(name) === targetLabel || world.aliases.has(name) ? "here" : "away";
        },
        gatekeeper: {
          gates: async (projectId) => world.gates.get(projectId) ?? OPEN,
          slugOf: async (projectId) => projectId.replace("prj_", "site-"),
        },
        probe: async () => true,
        rehearse: rehearseHandshake,
        seal,
        clock: timeOf(clock, changes.authorities?.[0] ?? authority),
        random: systemRandom,
        log: silentLog,
        challenges: ["http-01", "tls-alpn-01"],
        application: {},
        issuerDigest: () => "digest",
        onSaved: (domain) => world.saved.push(domain),
        ...changes,
      }),
    add: async (number, facts = {}) => {
      const domain = someDomain(number, facts, clock.now());
      const added = await domains.commit([adding(domain)], system);
      if (!added.ok) throw new Error(added.failure);
      world.dns.set(domain.name, domain.targetLabel);
      return domain;
    },
    domain: async (id) => {
      const domain = await domains.domains.byId(id);
      if (domain === undefined) throw new Error(`no ${id}`);
      return domain;
    },
    remove: async (id) => {
      const from = await world.domain(id);
      const now = clock.now();
      const { domain: to, news } = applyOutcome(from, { kind: "removed", reason: "removed" }, now);
      const removed = await domains.commit(
        [{ kind: "domain.save", from, to, news, at: now }],
        system,
      );
      if (!removed.ok) throw new Error(removed.failure);
    },
    close: () => store.close(),
  };
  return world;
}

const OPEN: GateFacts = { plan: true, deploy: true, project: true };

function reportOn(
  world: World,
  { name, targetLabel, ownershipToken, contested, attachedBefore, ledHere }: VerifySubject,
): VerifierReport {
  const byTarget = world.dns.get(name) === targetLabel;
  const byAddress = !byTarget && world.aliases.has(name);
  const leadsHere = byTarget || byAddress;
  const details = { findings: [], at: world.clock.now() };
  if (world.silent.has(name)) return { state: "unknown", blocking: [], leadsHere: false, details };
  if (!leadsHere) return { state: "blocked", blocking: ["no_record"], leadsHere, details };
  const doubtful = contested || (byAddress && (attachedBefore || ledHere !== false));
  if (doubtful && world.proofs.get(name) !== ownershipToken) {
    return { state: "blocked", blocking: ["ownership_missing"], leadsHere, details };
  }
  return { state: "verified", blocking: [], leadsHere, details };
}

const signal = new AbortController().signal;

/** Runs the due tasks up to `until`, jumping from one due time to the next, at most `most` tasks. */
export async function drive(
  world: World,
  pipeline: Pipeline,
  until: number,
  most = 5_000,
): Promise<void> {
  for (let task = 0; task < most; task++) {
    const [id] = await world.domains.domains.due(world.clock.now(), 1);
    if (id !== undefined) {
      await pipeline.advance(id, signal);
      continue;
    }
    const next = await world.domains.domains.nextDueAt();
    if (next === undefined || next > until) {
      world.clock.set(until);
      return;
    }
    world.clock.set(next);
  }
  throw new Error("there is no end to it");
}
