import type { Eventual } from "../../lib/base/eventual.ts";
import { system } from "../../lib/model/actor.ts";
import type { Store } from "../../lib/storage/store.ts";
import type { ManualClock } from "../clock.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { expect, type ContractCase } from "../contract-case.ts";
import type { DomainStore, Under } from "../../domains/ports/domain-store.ts";
import type { Leases } from "../../domains/ports/leases.ts";
import type { Change } from "../../lib/storage/change.ts";
import type { Domain } from "../../domains/model/domain.ts";
import { newDomain, type NewDomain } from "../../domains/model/apply-outcome.ts";
import type { OpenOrder } from "../../domains/model/order-state.ts";
import type { DomainChange } from "../../domains/ports/domain-change.ts";

/** An empty store of domains, with its companions over the same database. */
export interface DomainStoreUnderTest {
  readonly domains: DomainStore;
  readonly leases: Leases;
  /** Provides the outbox and the feed. */
  readonly store: Store;
  /** Called after the case. */
  close?(): Eventual<void>;
}

/** Creates a case from its name and body. */
export type DomainStoreCase = (
  name: string,
  body: (world: DomainStoreUnderTest & { readonly clock: ManualClock }) => Promise<void>,
) => ContractCase;

export const START = 1_795_000_000_000;

/** Creates a domain as it is added; `number` makes its identifiers unique. */
export function someDomain(number: number, facts: Partial<NewDomain> = {}, at = START): Domain {
  const name = `pets${number}.test`;
  return newDomain(
    {
      id: `dom_${String(number).padStart(12, "0")}`,
      name,
      unicode: name,
      projectId: `prj_${number}`,
      accountId: `acc_${number}`,
      role: { kind: "primary" },
      targetLabel: number.toString(16).padStart(32, "0"),
      ownershipToken: String(number).padStart(22, "t"),
      attachedBefore: false,
      ...facts,
    },
    at,
  );
}

/** Creates the domain's account; without one, no events are written. */
export function someAccount(number: number): Change {
  const limits = { perMinute: 1, perDay: 1 };
  const plan = "pro";
  const account = { id: `acc_${number}`, name: "Shelter", plan, limits, createdAt: START } as const;
  return { kind: "account.create", account };
}

/** Returns the change that adds a domain. */
export function adding(
  domain: Domain,
  limits: {
    readonly maxOfProject?: number;
    readonly maxUnverified?: number;
    readonly maxRemoved?: number;
  } = {},
): Extract<DomainChange, { readonly kind: "domain.add" }> {
  const { maxOfProject = 100, maxUnverified = 50, maxRemoved = 1_000 } = limits;
  const { addedAt: at } = domain;
  const news = [{ kind: "added" }] as const;
  const most = { maxOfProject, maxUnverified, maxRemoved };
  return { kind: "domain.add", domain, ...most, news, at };
}

/** Returns the change that saves a domain. */
export function saving(
  from: Domain,
  to: Partial<Domain>,
  more: { readonly at?: number; readonly report?: string } = {},
): Extract<DomainChange, { readonly kind: "domain.save" }> {
  const { at = START, ...rest } = more;
  return { kind: "domain.save", from, to: { ...from, ...to }, news: [], at, ...rest };
}

export function someOrder(domain: Domain): OpenOrder {
  return {
    id: `ord_${domain.id.slice(4)}`,
    domainId: domain.id,
    name: domain.name,
    authority: "test",
    sealedKey: "sealed",
    state: { step: "keyed" },
    openedAt: START,
    steppedAt: START,
    authorizationUrls: [],
    version: 1,
  };
}

/** Commits one change and returns its refusal; undefined if it succeeded. */
export async function refusalOf(
  domains: DomainStore,
  change: DomainChange,
  under?: Under,
): Promise<string | undefined> {
  const outcome = await domains.commit([change], system, under);
  return outcome.ok ? undefined : outcome.failure;
}

/** Adds a domain, and returns it. */
export async function added(domains: DomainStore, domain: Domain): Promise<Domain> {
  expect(await refusalOf(domains, adding(domain))).toBeUndefined();
  return domain;
}

/** Saves a domain, and returns it as it is stored. */
export async function saved(
  domains: DomainStore,
  from: Domain,
  to: Partial<Domain>,
  more: Parameters<typeof saving>[2] = {},
): Promise<Domain> {
  expect(await refusalOf(domains, saving(from, to, more))).toBeUndefined();
  const after = await domains.domains.byId(from.id);
  if (after === undefined) throw new Error("the domain was not found");
  return after;
}

export const someCertificate: NonNullable<Domain["certificate"]> = {
  id: "crt_1",
  authority: "test",
  notBefore: START,
  notAfter: START + 90 * DAY_MS,
  renewAt: START + 60 * DAY_MS,
  activeSince: START,
};
