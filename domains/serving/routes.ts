import type { Clock } from "../../lib/base/clock.ts";
import type { Topic } from "../../lib/storage/change.ts";
import { isOwnHost } from "../model/own-host.ts";
import { destinationUntil, servedUntil, type Domain } from "../model/domain.ts";
import { attentionAt } from "../model/domain-state.ts";
import { operatorToldAt } from "../model/overdue.ts";
import type { DomainRoute, DomainRoutes } from "../ports/certificates.ts";
import type { DomainStore } from "../ports/domain-store.ts";
import type { Gatekeeper } from "../ports/projects.ts";

export interface RouteTableOptions {
  readonly store: DomainStore;
  readonly gatekeeper: Pick<Gatekeeper, "slugOf">;
  readonly clock: Clock;
  /** Returns the origin that redirects to a host use, for example with a port. Default `https://<host>`. */
  readonly originOf?: ((host: string) => string) | undefined;
  /** For how long after the last `confirm` custom domains are served, by the clock of this machine. Default: forever. */
  readonly stale?: { readonly forMs: number; readonly clock: Clock } | undefined;
}

/**
 * The served hosts, in memory, a few hundred bytes each. `learn` applies changes by this process at once; `refresh`
 * applies changes by others, as reported by the change feed.
 */
export interface RouteTable extends DomainRoutes {
  /** Returns the id of the certificate to present. Undefined: the name is not served. Never queries the store. */
  certificateOf(name: string): string | undefined;
  /** Counts the certificates of served hosts by the id of their issuer. Never queries the store. */
  certificates(): ReadonlyMap<string, IssuedCertificates>;
  /** Returns the certificate of a served host with its domain. Never queries the store. */
  servedBy(host: string): ServedCertificate | undefined;
  /** Calls `listener` with each host that gets a certificate, or another one. */
  onCertificate(listener: (served: ServedCertificate) => void): void;
  learn(domain: Domain): Promise<void>;
  /** Marks what a feed notice is about as stale. `refresh` reads it again. */
  forget(topic: Topic, subject: string): void;
  forgetAll(): void;
  /** Reads what is stale. The first call, and a call after `forgetAll`, reads everything. */
  refresh(): Promise<void>;
  /** Marks all routes as up to date at `at`, by the clock of this machine. */
  confirm(at: number): void;
  /** The last `confirm`; undefined before the first one. */
  readonly confirmedAt: number | undefined;
  readonly size: number;
}

/** A host with the certificate that it presents. */
export interface ServedCertificate {
  readonly host: string;
  readonly domainId: string;
  readonly certificateId: string;
}

/** The served certificates of one issuer. */
export interface IssuedCertificates {
  /** How many there are. */
  readonly count: number;
  /** The earliest expiry, in milliseconds since the Unix epoch. */
  readonly notAfter: number;
  /** How many of them cannot be presented. */
  readonly unservable: number;
  /** How many of them the operator is told of as overdue, as in `operatorToldAt`. */
  readonly overdue: number;
  /** How many of the domains need attention, of their owner or of the operator. */
  readonly attention: number;
}

/** Shared by all hosts of a project. */
interface Site {
  slug: string | undefined;
}

interface Entry {
  readonly domainId: string;
  readonly version: number;
  readonly projectId: string;
  readonly own: boolean;
  readonly site: Site;
  readonly certificateId: string;
  readonly issuer: string;
  readonly notAfter: number;
  readonly unservable: boolean;
  readonly overdueAt: number;
  readonly attentionAt: number;
  readonly servedUntil: number;
  readonly destinationUntil: number;
  /** Absent: the host shows the site. Otherwise it does so while the target does not. */
  readonly redirect?: { readonly to: string; readonly status: 301 | 302 | 307 | 308 };
  readonly hstsSeconds: number;
}

const PAGE = 1_000;
/** Far more than are written during a full read. */
const MAX_HEARD = 10_000;

export function createRouteTable({
  store,
  gatekeeper,
  clock,
  originOf = (host) => `https://${host}`,
  stale: outdated,
}: RouteTableOptions): RouteTable {
  const entries = new Map<string, Entry>();
  const names = new Map<string, string>();
  const sites = new Map<string, Site>();
  const listeners = new Set<(host: string) => void>();
  const watchers = new Set<(served: ServedCertificate) => void>();
  const stale = new Set<string>();
  const staleProjects = new Set<string>();
  // Projects whose slug is being read. A change meanwhile makes it stale.
  const asking = new Set<string>();
  // Latest known versions: a read that began earlier must not undo a change.
  const heard = new Map<string, number>();
  let allStale = true;
  let confirmedAt: number | undefined;

  /** Another process may have removed the domain long ago. */
  const isTooOld = (): boolean =>
    outdated !== undefined &&
    confirmedAt !== undefined &&
    outdated.clock.now() - confirmedAt > outdated.forMs;

  const served = (host: string): Entry | undefined => {
    const entry = entries.get(host);
    if (entry === undefined || clock.now() >= entry.servedUntil) return undefined;
    return entry.own || !isTooOld() ? entry : undefined;
  };

  const siteOf = async (projectId: string): Promise<Site> => {
    const known = sites.get(projectId);
    if (known !== undefined) return known;
    asking.add(projectId);
    try {
      const slug = await gatekeeper.slugOf(projectId);
      // A concurrent read may have finished first. All hosts of a project share one object.
      const site = sites.get(projectId) ?? { slug };
      sites.set(projectId, site);
      return site;
    } finally {
      asking.delete(projectId);
    }
  };

  const drop = (host: string): void => {
    const entry = entries.get(host);
    if (entry === undefined) return;
    entries.delete(host);
    names.delete(entry.domainId);
    for (const listener of listeners) listener(host);
  };

  const put = (host: string, entry: Entry): void => {
    const before = entries.get(host);
    // Open connections for the name belong to visitors of another project.
    if (before !== undefined && before.domainId !== entry.domainId) drop(host);
    entries.set(host, entry);
    const { domainId, certificateId } = entry;
    names.set(domainId, host);
    if (before?.certificateId === certificateId) return;
    for (const watcher of watchers) watcher({ host, domainId, certificateId });
  };

  /** Applies a row, unless this process knows a later version. */
  const take = async (domain: Domain): Promise<void> => {
    const { id, name, version, heldSince } = domain;
    const isOld = (): boolean => (heard.get(id) ?? 0) > version;
    if (isOld()) return;
    const entry = await entryOf(domain, siteOf);
    const known = entries.get(name);
    if (isOld() || (known?.domainId === id && known.version > version)) return;
    if (entry !== undefined) put(name, entry);
    // The holder of a name decides about it, whichever domain was served before.
    else if (known?.domainId === id || heldSince !== undefined) drop(name);
  };

  const learn = (domain: Domain): Promise<void> => {
    const { id, version } = domain;
    const newest = Math.max(version, heard.get(id) ?? 0);
    heard.delete(id);
    heard.set(id, newest);
    const [oldest] = heard.keys();
    if (heard.size > MAX_HEARD && oldest !== undefined) heard.delete(oldest);
    return take(domain);
  };

  const readAll = async (): Promise<void> => {
    const seen = new Set<string>();
    let after = 0;
    for (;;) {
      const page = await store.domains.served(after, PAGE);
      for (const { seq, domain } of page) {
        after = seq;
        seen.add(domain.name);
        await take(domain);
      }
      if (page.length < PAGE) break;
    }
    for (const host of [...entries.keys()]) if (!seen.has(host)) drop(host);
  };

  const readOne = async (domainId: string): Promise<void> => {
    const domain = await store.domains.byId(domainId);
    if (domain !== undefined) {
      await learn(domain);
      return;
    }
    const host = names.get(domainId);
    if (host !== undefined) drop(host);
  };

  return {
    byHost: (host) => {
      const entry = served(host);
      if (entry === undefined) return undefined;
      const { projectId, site, redirect, hstsSeconds } = entry;
      const target = redirect === undefined ? undefined : served(redirect.to);
      const leads = target?.projectId === projectId && clock.now() < target.destinationUntil;
      if (redirect === undefined || !leads) {
        const { slug } = site;
        return slug === undefined ? undefined : { kind: "site", projectId, slug, hstsSeconds };
      }
      const { to, status } = redirect;
      const route: DomainRoute = {
        kind: "redirect",
        projectId,
        to: originOf(to),
        status,
        hstsSeconds,
      };
      return route;
    },
    onRemoved: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    certificateOf: (name) => served(name)?.certificateId,
    servedBy: (host) => {
      const { domainId, certificateId } = served(host) ?? {};
      return domainId === undefined || certificateId === undefined
        ? undefined
        : { host, domainId, certificateId };
    },
    certificates: () => {
      const now = clock.now();
      const all = new Map<string, IssuedCertificates>();
      for (const entry of entries.values()) {
        if (now >= entry.servedUntil) continue;
        const { issuer, notAfter } = entry;
        const known = all.get(issuer);
        all.set(issuer, {
          count: (known?.count ?? 0) + 1,
          notAfter: Math.min(known?.notAfter ?? notAfter, notAfter),
          unservable: (known?.unservable ?? 0) + Number(entry.unservable),
          overdue: (known?.overdue ?? 0) + Number(now >= entry.overdueAt),
          attention: (known?.attention ?? 0) + Number(now >= entry.attentionAt),
        });
      }
      return all;
    },
    onCertificate: (listener) => {
      watchers.add(listener);
    },
    learn,
    forget: (topic, subject) => {
      if (topic === "domain") stale.add(subject);
      if (topic !== "project") return;
      if (sites.has(subject) || asking.has(subject)) staleProjects.add(subject);
    },
    forgetAll: () => {
      allStale = true;
    },
    refresh: async () => {
      if (allStale) {
        // Cleared before the read, so that changes during the read count.
        allStale = false;
        stale.clear();
        try {
          for (const [projectId, site] of sites) site.slug = await gatekeeper.slugOf(projectId);
          await readAll();
        } catch (error) {
          allStale = true;
          throw error;
        }
      }
      for (const projectId of [...staleProjects]) {
        if (asking.has(projectId)) continue;
        const slug = await gatekeeper.slugOf(projectId);
        const site = sites.get(projectId);
        if (site !== undefined) site.slug = slug;
        staleProjects.delete(projectId);
      }
      for (const domainId of [...stale]) {
        stale.delete(domainId);
        try {
          await readOne(domainId);
        } catch (error) {
          stale.add(domainId);
          throw error;
        }
      }
    },
    confirm: (at) => {
      confirmedAt = at;
    },
    get confirmedAt() {
      return confirmedAt;
    },
    get size() {
      return entries.size;
    },
  };
}

async function entryOf(
  domain: Domain,
  siteOf: (projectId: string) => Promise<Site>,
): Promise<Entry | undefined> {
  const until = servedUntil(domain);
  const { id: domainId, version, projectId, certificate, role, hstsSeconds } = domain;
  if (until === 0 || certificate === undefined) return undefined;
  const entry = {
    domainId,
    version,
    projectId,
    own: isOwnHost(domain),
    site: await siteOf(projectId),
    certificateId: certificate.id,
    issuer: certificate.authority,
    notAfter: certificate.notAfter,
    unservable: certificate.unservable !== undefined,
    overdueAt: operatorToldAt(domain) ?? Infinity,
    attentionAt: attentionAt(domain),
    servedUntil: until,
    destinationUntil: destinationUntil(domain),
    hstsSeconds,
  };
  if (role.kind === "primary") return entry;
  const { to, status } = role;
  return { ...entry, redirect: { to, status } };
}
