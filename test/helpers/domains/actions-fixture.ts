import { createShareLinks } from "../../../domains/storage/share-links.ts";
import { host, system, type Actor } from "../../../lib/model/actor.ts";
import type { DomainsContext, Owner } from "../../../domains/actions/context.ts";
import { createDomainWatch } from "../../../domains/actions/domain-watch.ts";
import { createAuthorityTime } from "../../../domains/acme/authority-time.ts";
import { publicSuffixes } from "../public-suffixes.ts";
import { bindActions, type Domains } from "../../../domains/domains.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { applyOutcome, type Outcome } from "../../../domains/model/apply-outcome.ts";
import { rehearsedParts } from "../../../domains/model/rehearsal.ts";
import type { AccountLock } from "../../../domains/ports/account-lock.ts";
import type { DomainStore } from "../../../domains/ports/domain-store.ts";
import type { GateFacts } from "../../../domains/ports/projects.ts";
import { noSiteMaps } from "../../../domains/projects/site-maps.ts";
import { createSeal } from "../../../domains/storage/seal.ts";
import { sqlLeases } from "../../../domains/storage/sql-leases.ts";
import { sqlDomainStore } from "../../../domains/storage/sql-domain-store.ts";
import type { ShownReport } from "../../../domains/view/report.ts";
import type { Sql } from "../../../lib/sql/sql.ts";
import { silentLog } from "../../../lib/base/log.ts";
import type { Random } from "../../../lib/base/id.ts";
import { chance } from "../chance.ts";
import { fakeAuthority, type FakeAuthority } from "./fake-authority.ts";
import { manualClock, type ManualClock } from "../clock.ts";
import { migratedSql } from "../migrated.ts";

export const START = 1_795_000_000_000;

/** The domain actions over a real store, with a DNS controlled by the test. */
export interface ActionsFixture {
  readonly contextFor: (actor: Actor) => DomainsContext;
  /** That of the host. */
  readonly context: DomainsContext;
  readonly domains: Domains;
  readonly store: DomainStore;
  readonly authority: FakeAuthority;
  readonly clock: ManualClock;
  /** Projects have the slug `<rest of the id>-site`. Unlisted projects may have domains. */
  readonly gates: Map<string, GateFacts>;
  /** The results of the next DNS checks, by name. Default: everything is correct. */
  readonly looks: Map<string, Look>;
  /** The committed changes, as the listeners receive them. */
  readonly written: Domain[];
  /** Applies an outcome to a domain, like background work. */
  readonly happen: (id: string, outcome: Outcome) => Promise<Domain>;
}

export interface Look {
  readonly outcome: Extract<Outcome, { readonly kind: "checked" }>;
  readonly report: ShownReport;
}

export const verified: Look["outcome"] = {
  kind: "checked",
  state: "verified",
  codes: [],
  leadsHere: true,
  name: "free",
};

export const emptyReport: ShownReport = { apex: false, findings: [], records: [] };

/** No CAA records anywhere. */
export const noLock: AccountLock = {
  recordFor: async () => undefined,
  permits: async () => ({ kind: "allowed", byName: false, ttlSeconds: 0 }),
};

export async function openActions({
  sql,
  clock = manualClock(START),
  store: wrapped = (store) => store,
  ...instead
}: Partial<Omit<DomainsContext, "store" | "clock">> & {
  /** The database of a `sqlStore`. Default: in memory. */
  readonly sql?: Sql;
  readonly clock?: ManualClock;
  readonly store?: (store: DomainStore) => DomainStore;
} = {}): Promise<ActionsFixture> {
  const database = sql ?? (await migratedSql(clock));
  const { watch, changed: wake } = createDomainWatch();
  const opened = await sqlDomainStore({ sql: database, clock });
  const store = wrapped({
    ...opened,
    commit: async (changes, actor) => {
      const committed = await opened.commit(changes, actor);
      wake();
      return committed;
    },
  });
  const authority = await fakeAuthority(clock);
  const gates: ActionsFixture["gates"] = new Map();
  const looks: ActionsFixture["looks"] = new Map();
  const written: Domain[] = [];

  const save = async (
    id: string,
    outcomes: readonly Outcome[],
    { report, actor = system }: { readonly report?: string; readonly actor?: Actor } = {},
  ) => {
    const from = await store.domains.byId(id);
    if (from === undefined || from.removal !== undefined) return undefined;
    const at = clock.now();
    const news = [];
    let to = from;
    for (const outcome of outcomes) {
      const settled = applyOutcome(to, outcome, at);
      to = settled.domain;
      news.push(...settled.news);
    }
    const kept = report === undefined ? {} : { report };
    const saved = await store.commit([{ kind: "domain.save", from, to, news, at, ...kept }], actor);
    if (!saved.ok) throw new Error(`not saved: ${saved.failure}`);
    return store.domains.byId(id);
  };

  const contextFor = (actor: Actor): DomainsContext => ({
    store,
    commit: (changes) => store.commit(changes, actor),
    gatekeeper: {
      gates: async (projectId) =>
        gates.get(projectId) ?? { plan: true, deploy: true, project: true },
      slugOf: async (projectId) => `${projectId.replace(/^prj_/, "")}-site`,
    },
    siteMaps: noSiteMaps,
    shareLinks: createShareLinks(new Uint8Array(32).fill(7)),
    shareAddress: "https://petstore.test/share",
    rules: async () => ({
      suffixes: publicSuffixes,
      ownDomains: ["petstore.example"],
      allowPrivate: false,
    }),
    cnameTarget: "cname.petstore.example",
    readBy: "id" in actor ? "owner" : "operator",
    verify: async (id) => {
      const domain = await store.domains.byId(id);
      const { outcome, report } = looks.get(domain?.name ?? "") ?? {
        outcome: verified,
        report: emptyReport,
      };
      return save(id, [{ kind: "check_requested" }, outcome], {
        report: JSON.stringify(report),
        actor,
      });
    },
    explore: async (parsed) => ({
      ...parsed,
      zone: parsed.registrable,
      nameServers: [`ns1.${parsed.registrable}`],
      headline: "It will work.",
      obstacles: [],
      changes: [],
      records: [],
    }),
    changed: (domain) => written.push(domain),
    watch,
    rehearse: async () => ({ passed: rehearsedParts, challenge: "http-01", notAfter: START }),
    rehearsalAuthorities: [authority],
    exported: async (id) => ({ chain: `the chain of ${id}`, privateKey: `the key of ${id}` }),
    accounts: {
      authorities: [authority],
      store,
      actor,
      leases: sqlLeases({ sql: database, clock }),
      seal: createSeal(new Uint8Array(32).fill(7)),
      clock: createAuthorityTime({ clock, authority, log: silentLog }),
      application: {},
      lock: noLock,
    },
    stopping: new AbortController().signal,
    clock,
    random: seeded(),
    ...instead,
  });
  const context = contextFor(host);
  return {
    contextFor,
    context,
    domains: bindActions(context),
    store,
    authority,
    clock,
    gates,
    looks,
    written,
    happen: async (id, outcome) => {
      const domain = await save(id, [outcome]);
      if (domain === undefined) throw new Error("There is no such domain.");
      if (outcome.kind === "issued") {
        const { id: certificateId, notAfter } = outcome.certificate;
        const certificate = {
          id: certificateId,
          domainId: id,
          chainPem: "a chain",
          sealedKey: "sealed",
          notAfter,
          createdAt: clock.now(),
        };
        await store.commit([{ kind: "certificate.add", certificate }], system);
      }
      return domain;
    },
  };
}

export function owner(project = "otters", account = "otters"): Owner {
  return { projectId: `prj_${project}`, accountId: `acc_${account}` };
}

/** Returns an outcome with a certificate valid for 90 days from `at`, to be renewed after 60. */
export function issued(at: number, id = "crt_000000000001"): Outcome {
  const day = 24 * 3_600_000;
  const authority = "https://ca.test/directory";
  const certificate = { id, authority, notBefore: at, notAfter: at + 90 * day };
  return {
    kind: "issued",
    certificate: { ...certificate, renewAt: at + 60 * day },
    authorizationUrls: [],
  };
}

/** Returns different bytes at every call, but the same in every run. */
function seeded(): Random {
  const dice = chance(1);
  return (into) => into.map(() => dice.between(0, 255));
}
