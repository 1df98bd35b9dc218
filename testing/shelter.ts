import { system } from "../lib/model/actor.ts";
import type { Result } from "../lib/base/result.ts";
import {
  petDefaults,
  type NewPet,
  type StoredCategory,
  type StoredPet,
} from "../lib/catalogue/model.ts";
import type { Account, Environment } from "../lib/model/account.ts";
import type { ApiKey } from "../lib/model/api-key.ts";
import type { Change, Conflict, Outcome } from "../lib/storage/change.ts";
import type { Store } from "../lib/storage/store.ts";
import { BrokenContract, casesOf } from "./contract-case.ts";

/** The start of the tests' clocks: 2026-01-01T00:00:00Z. */
export const START = 1_767_225_600_000;

/** A store with one account, and helpers to change it. */
export interface Shelter {
  readonly store: Store;
  readonly account: Account;
  readonly production: number;
  readonly staging: number;
  /** The `seq` of the account's `account.created` event. */
  readonly createdSeq: number;
  /** Commits changes. A refusal breaks the contract. */
  readonly commit: (...changes: readonly Change[]) => Promise<readonly Outcome[]>;
  /** Commits changes that must be refused, and returns the refusal. */
  readonly refusal: (...changes: readonly Change[]) => Promise<Conflict>;
  /** Adds a pet to production. Default: an available dog called Rex. */
  readonly addPet: (pet?: Partial<NewPet>, at?: number) => Promise<StoredPet>;
  readonly category: (id: number) => Promise<StoredCategory>;
}

export function anAccount(id: string, createdAt: number = START): Account {
  const limits = { perMinute: 60, perDay: 1_000 };
  return { id, name: `Shelter ${id}`, plan: "free", limits, createdAt };
}

export function aKey(id: string, account: Account, catalogueId: number): ApiKey {
  return {
    id,
    accountId: account.id,
    catalogueId,
    environment: "production",
    name: `Key ${id}`,
    scopes: ["pets:read", "pets:write"],
    hash: `hash of ${id}`,
    createdAt: START,
  };
}

/** One guarantee of the port `Store`. Throws when an adapter violates it. */
export interface StoreCase {
  readonly name: string;
  /** `open` makes an empty store on each call and closes it after the case. */
  readonly run: (open: () => Promise<Store>) => Promise<void>;
}

/** Returns the cases of tests that each run with a shelter of their own. */
export function storeCases(
  tests: Readonly<Record<string, (shelter: Shelter) => Promise<void>>>,
): readonly StoreCase[] {
  return casesOf((open: () => Promise<Store>) => openShelter(open), tests);
}

export async function openShelter(open: () => Promise<Store>, id = "acc_one"): Promise<Shelter> {
  return addShelter(await open(), id);
}

/** Adds an account to a store. */
export async function addShelter(store: Store, id: string): Promise<Shelter> {
  const account = anAccount(id);
  await mustApply(store.commit([{ kind: "account.create", account }], system));
  const catalogue = async (environment: Environment): Promise<number> =>
    must(await store.catalogues.of(id, environment), "The account has two catalogues.").id;
  const production = await catalogue("production");
  const commit: Shelter["commit"] = (...changes) => mustApply(store.commit(changes, system));
  return {
    store,
    account,
    production,
    staging: await catalogue("staging"),
    createdSeq: await store.events.last(),
    commit,
    refusal: async (...changes) => {
      const committed = await store.commit(changes, system);
      if (committed.ok) throw new BrokenContract("The commit should have been refused.");
      return committed.failure;
    },
    addPet: async (pet, at = START) => {
      const change = { kind: "pet.create", catalogueId: production, pet: newPet(pet), at } as const;
      const [created] = await commit(change);
      return aPet(created);
    },
    category: async (category) =>
      must(await store.categories.byId(production, category), `Category ${category} is there.`),
  };
}

/** Returns an available dog called Rex, with other `fields`. */
export function newPet(fields: Partial<NewPet> = {}): NewPet {
  return { name: "Rex", categoryId: 1, ...petDefaults, ...fields };
}

/** Returns the outcome as a pet. */
export function aPet(outcome: Outcome): StoredPet {
  if (typeof outcome === "object" && "categoryId" in outcome) return outcome;
  throw new BrokenContract("The outcome is a pet.");
}

export function must<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new BrokenContract(what);
  return value;
}

async function mustApply(
  commit: Promise<Result<readonly Outcome[], Conflict>>,
): Promise<readonly Outcome[]> {
  const committed = await commit;
  if (committed.ok) return committed.value;
  const { index, refusal } = committed.failure;
  throw new BrokenContract(`Change ${index} was refused: ${refusal}.`);
}
