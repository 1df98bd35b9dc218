import type { Clock } from "../lib/base/clock.ts";
import type { Topic } from "../lib/storage/notice.ts";
import { servedUntil, type Domain } from "./model/domain.ts";
import type { DomainRoute, DomainRoutes } from "./ports/certificates.ts";
import type { DomainStore } from "./ports/domain-store.ts";
import type { Gatekeeper } from "./ports/gatekeeper.ts";

export interface RouteTableOptions {
  readonly store: DomainStore;
  readonly gatekeeper: Pick<Gatekeeper, "slugOf">;
  readonly clock: Clock;
  /** Where visitors of a host are sent, for example with a port. Default `https://<host>`. */
  readonly originOf?: (host: string) => string;
}

/**
 * Which hosts are served, in memory: a few hundred bytes each. What this process wrote is known at once by `learn`, what
 * others wrote with the next `refresh` after the feed told of it.
 */
export interface RouteTable extends DomainRoutes {
  /** Id of the certificate to present; undefined for a name that is not served. Never a query. */
  certificateOf(name: string): string | undefined;
  /** The certificates of all hosts that are served, by the id of their issuer. Never a query. */
  certificates(): ReadonlyMap<string, IssuedCertificates>;
  learn(domain: Domain): Promise<void>;
  /** What the feed says: `refresh` looks at it. */
  forget(topic: Topic, subject: string): void;
  forgetAll(): void;
  /** Reads what was forgotten. At the first time, and after `forgetAll`, everything. */
  refresh(): Promise<void>;
  readonly size: number;
}

/** The certificates of one issuer. */
export interface IssuedCertificates {
  readonly count: number;
  /** When the first of them expires. */
  readonly notAfter: number;
}

/** What all hosts of a project share. */
interface Site {
  slug: string | undefined;
}

interface Entry {
  readonly domainId: string;
  readonly version: number;
  readonly projectId: string;
  readonly site: Site;
  readonly certificateId: string;
  readonly issuer: string;
  readonly notAfter: number;
  readonly servedUntil: number;
  /** Absent: it shows the site. */
  readonly redirect?: { readonly to: string; readonly status: 301 | 302 | 307 | 308 };
  readonly hstsSeconds: number;
}

const PAGE = 1_000;
/** Far more than are written while everything is read. */
const MAX_HEARD = 10_000;

export function createRouteTable({
  store,
  gatekeeper,
  clock,
  originOf = (host) => `https://${host}`,
}: RouteTableOptions): RouteTable {
  const entries = new Map<string, Entry>();
  const names = new Map<string, string>();
  const sites = new Map<string, Site>();
  const listeners = new Set<(host: string) => void>();
  const stale = new Set<string>();
  const staleProjects = new Set<string>();
  // What changes while it is asked for is to be asked for again.
  const asking = new Set<string>();
  // Versions of what was learned lately: a read that began before must not undo it.
  const heard = new Map<string, number>();
  let allStale = true;

  const served = (host: string): Entry | undefined => {
    const entry = entries.get(host);
    return entry !== undefined && clock.now() < entry.servedUntil ? entry : undefined;
  };

  const siteOf = async (projectId: string): Promise<Site> => {
    const known = sites.get(projectId);
    if (known !== undefined) return known;
    asking.add(projectId);
    try {
      const slug = await gatekeeper.slugOf(projectId);
      // Another one may have been faster: all hosts of a project share one.
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
    // What is open under the name belongs to another project's visitors.
    if (before !== undefined && before.domainId !== entry.domainId) drop(host);
    entries.set(host, entry);
    names.set(entry.domainId, host);
  };

  /** Takes in a row as it was read or written, unless this process has heard of a later one. */
  const take = async (domain: Domain): Promise<void> => {
    const { id, name, version, heldSince } = domain;
    const isOld = (): boolean => (heard.get(id) ?? 0) > version;
    if (isOld()) return;
    const entry = await entryOf(domain, siteOf);
    const known = entries.get(name);
    if (isOld() || (known?.domainId === id && known.version > version)) return;
    if (entry !== undefined) put(name, entry);
    // The one that holds the name speaks for it, whoever was served under it before.
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
      if (redirect === undefined) {
        const { slug } = site;
        return slug === undefined ? undefined : { kind: "site", projectId, slug, hstsSeconds };
      }
      const target = served(redirect.to);
      // Where nobody is served, nobody is sent.
      if (target?.projectId !== projectId || target.redirect !== undefined) return undefined;
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
    certificates: () => {
      const now = clock.now();
      const all = new Map<string, IssuedCertificates>();
      for (const { issuer, notAfter, servedUntil: until } of entries.values()) {
        if (now >= until) continue;
        const { count, notAfter: first } = all.get(issuer) ?? { count: 0, notAfter };
        all.set(issuer, { count: count + 1, notAfter: Math.min(first, notAfter) });
      }
      return all;
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
        // Before it is read: what changes meanwhile is to be read again.
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
    site: await siteOf(projectId),
    certificateId: certificate.id,
    issuer: certificate.authority,
    notAfter: certificate.notAfter,
    servedUntil: until,
    hstsSeconds,
  };
  if (role.kind === "primary") return entry;
  const { to, status } = role;
  return { ...entry, redirect: { to, status } };
}
