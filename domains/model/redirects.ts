import { done, refused, type Result } from "../../lib/base/result.ts";
import { redirectStatuses, type DomainRole, type RedirectStatus, type Domain } from "./domain.ts";

/** A project's `domains` map: its primary domain, and the redirects. */
export interface DomainsConfig {
  readonly primary?: string;
  readonly redirects: readonly RedirectRule[];
}

/** A redirect between domains of a project. */
export interface RedirectRule {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

/** Why a `domains` map is invalid. `pointer` is the JSON Pointer of the invalid member. */
export interface RedirectFault {
  readonly code:
    | "unknown_domain"
    | "primary_redirects"
    | "duplicate_source"
    | "cycle"
    | "chain"
    | "invalid_status";
  readonly pointer: string;
  readonly message: string;
}

/** A domain of the project with its role. */
export interface Attached {
  readonly name: string;
  readonly role: DomainRole;
}

/** Default status of redirects: permanent, preserving the method. */
export const DEFAULT_REDIRECT: RedirectStatus = 308;

/** Returns the current map, without removed domains; redirects may still target them. */
export function configOf(attached: readonly Attached[]): DomainsConfig {
  const primary = attached.find(({ role }) => role.kind === "primary")?.name;
  const redirects = attached.flatMap(({ name, role }) =>
    role.kind === "redirect" ? [{ from: name, to: role.to, status: role.status }] : [],
  );
  return { ...(primary === undefined ? {} : { primary }), redirects };
}

/**
 * Returns each attached domain's role under `config`, which is accepted or refused as a whole. A domain that it
 * does not mention redirects to the primary one, or keeps its role if there is none. Names are compared literally.
 */
export function rolesUnder(
  config: DomainsConfig,
  attached: readonly Attached[],
): Result<ReadonlyMap<string, DomainRole>, RedirectFault> {
  const fault = faultOf(config, new Set(attached.map(({ name }) => name)));
  if (fault !== undefined) return refused(fault);
  const { primary, redirects } = config;
  const roles = new Map<string, DomainRole>();
  for (const { name, role } of attached) {
    if (name === primary) roles.set(name, { kind: "primary" });
    else if (primary === undefined) roles.set(name, role);
    else roles.set(name, { kind: "redirect", to: primary, status: DEFAULT_REDIRECT });
  }
  for (const { from, to, status } of redirects) {
    if (isRedirectStatus(status)) roles.set(from, { kind: "redirect", to, status });
  }
  const chain = chainIn(roles, redirects);
  return chain === undefined ? done(roles) : refused(chain);
}

/** Finds a chain between a mentioned and an unmentioned domain. */
function chainIn(
  roles: ReadonlyMap<string, DomainRole>,
  redirects: readonly RedirectRule[],
): RedirectFault | undefined {
  const before = new Map<string, string>();
  for (const [name, role] of roles) if (role.kind === "redirect") before.set(role.to, name);
  for (const [index, { from, to }] of redirects.entries()) {
    const next = roles.get(to);
    if (next?.kind === "redirect") return chainFault(`/redirects/${index}/to`, [from, to, next.to]);
    const first = before.get(from);
    if (first !== undefined) return chainFault(`/redirects/${index}/from`, [first, from, to]);
  }
  return undefined;
}

function chainFault(
  pointer: string,
  [from, over, to]: readonly [string, string, string],
): RedirectFault {
  const message = `${over} redirects to ${to}. Redirect ${from} to ${to} directly.`;
  return { code: "chain", pointer, message };
}

function faultOf(
  { primary, redirects }: DomainsConfig,
  known: ReadonlySet<string>,
): RedirectFault | undefined {
  if (primary !== undefined && !known.has(primary)) return unknown(primary, "/primary");
  const targets = new Map<string, string>();
  for (const [index, { from, to, status }] of redirects.entries()) {
    const at = `/redirects/${index}`;
    if (!known.has(from)) return unknown(from, `${at}/from`);
    if (!known.has(to)) return unknown(to, `${at}/to`);
    if (!isRedirectStatus(status)) {
      const message = `The status of a redirect must be one of ${redirectStatuses.join(", ")}, not ${status}.`;
      return { code: "invalid_status", pointer: `${at}/status`, message };
    }
    if (from === primary) {
      const message = `${from} is the primary domain, which shows the site and cannot redirect.`;
      return { code: "primary_redirects", pointer: `${at}/from`, message };
    }
    if (targets.has(from)) {
      const message = `${from} has two redirects.`;
      return { code: "duplicate_source", pointer: `${at}/from`, message };
    }
    targets.set(from, to);
  }
  for (const [index, { from, to }] of redirects.entries()) {
    const pointer = `/redirects/${index}/to`;
    if (leadsBack(from, targets)) {
      const message = `${from} would redirect to itself. Make the domain that shows the site the primary one.`;
      return { code: "cycle", pointer, message };
    }
    const next = targets.get(to);
    if (next !== undefined) return chainFault(pointer, [from, to, next]);
  }
  return undefined;
}

function leadsBack(from: string, targets: ReadonlyMap<string, string>): boolean {
  let at = targets.get(from);
  // A loop that does not contain `from` would never end.
  for (let step = 0; at !== undefined && step < targets.size; step++) {
    if (at === from) return true;
    at = targets.get(at);
  }
  return false;
}

function unknown(name: string, pointer: string): RedirectFault {
  const message = `${name} is not a domain of this project. Add it first.`;
  return { code: "unknown_domain", pointer, message };
}

export function isRedirectStatus(status: number): status is RedirectStatus {
  return redirectStatuses.some((allowed) => allowed === status);
}

/** Returns the role of a domain added to `attached`: the first becomes primary, others redirect to it. */
export function roleOfAdded(attached: readonly Attached[]): DomainRole {
  const primary = attached.find(({ role }) => role.kind === "primary");
  return primary === undefined
    ? { kind: "primary" }
    : { kind: "redirect", to: primary.name, status: DEFAULT_REDIRECT };
}

/** Makes `name` the primary domain; all other domains redirect to it. */
export function promoted(
  name: string,
  attached: readonly Attached[],
): Result<ReadonlyMap<string, DomainRole>, RedirectFault> {
  const redirects = attached.flatMap(({ name: from, role }) => {
    if (from === name) return [];
    const status = role.kind === "redirect" ? role.status : DEFAULT_REDIRECT;
    return [{ from, to: name, status }];
  });
  return rolesUnder({ primary: name, redirects }, attached);
}

/**
 * Returns the counterpart of `shelter.org` or `www.shelter.org`; undefined for other names. `label` is relative to
 * the registered domain.
 */
export function wwwCounterpart(registrable: string, label: string): string | undefined {
  if (label === "@") return `www.${registrable}`;
  return label === "www" ? registrable : undefined;
}

type AttachedDomain = Pick<Domain, "name" | "role" | "heldSince">;

/**
 * Returns the roles that a site's map assigns, as far as it is effective: rules for names that are not held wait
 * until they are. Unmentioned domains keep their role, or redirect to the map's primary domain. Names are compared
 * literally.
 */
export function effectiveRoles(
  { primary: wanted, redirects }: DomainsConfig,
  attached: readonly AttachedDomain[],
): Result<ReadonlyMap<string, DomainRole>, RedirectFault> {
  const held = heldIn(attached);
  const rules = redirects.filter(({ from, to }) => held.has(from) && held.has(to));
  if (wanted !== undefined && held.has(wanted)) {
    return rolesUnder({ primary: wanted, redirects: rules }, attached);
  }
  return rules.length === 0 ? done(new Map()) : rolesUnder({ redirects: rules }, attached);
}

/** A name that a map waits for, and the missing step. */
export interface MissingName {
  readonly name: string;
  readonly step: "add" | "verify";
}

/** Returns the names in a map that the project does not hold, in order of appearance. */
export function missingNames(
  map: DomainsConfig,
  attached: readonly AttachedDomain[],
): readonly MissingName[] {
  const names = new Set(attached.map(({ name }) => name));
  const held = heldIn(attached);
  return namesIn(map)
    .filter((name) => !held.has(name))
    .map((name) => ({ name, step: names.has(name) ? "verify" : "add" }));
}

/** Returns the distinct names in a map, the primary one first. */
export function namesIn({ primary, redirects }: DomainsConfig): readonly string[] {
  const named = redirects.flatMap(({ from, to }) => [from, to]);
  return [...new Set(primary === undefined ? named : [primary, ...named])];
}

function heldIn(attached: readonly AttachedDomain[]): ReadonlySet<string> {
  const held = attached.filter(({ heldSince }) => heldSince !== undefined);
  return new Set(held.map(({ name }) => name));
}
