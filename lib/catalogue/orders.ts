import { answeredMeanwhile, problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { normalText } from "../model/text.ts";
import { orderOf, type Change, type Conflict, type Outcome } from "../storage/change.ts";
import type { StoreReads } from "../storage/store.ts";
import { changeRow, commitWith, unlessStale, type CatalogueContext } from "./commit.ts";
import { refusalsOf } from "./refusals.ts";
import {
  petFieldsOf,
  type Adopter,
  type Adoption,
  type OrderStatus,
  type PetStatus,
  type StoredOrder,
  type StoredPet,
} from "./model.ts";

/** Returns an order with its adopter. */
export async function readOrder(
  { store }: CatalogueContext,
  catalogueId: number,
  orderId: number,
): Promise<Result<Adoption, Problem>> {
  const order = await store.orders.byId(catalogueId, orderId);
  return order === undefined
    ? refused(refusals.missing)
    : done(await withAdopter(store, catalogueId, order));
}

type Precondition = ((order: StoredOrder) => Problem | undefined) | undefined;

/** A change of an order and its conditions. */
export interface OrderUpdate {
  readonly orderId: number;
  readonly status?: OrderStatus | undefined;
  /** Replaces the adopter; null removes it. */
  readonly adopter?: Adopter | null | undefined;
  readonly precondition?: Precondition;
}

/** Changes the status or the adopter. The status of an order whose animal was returned stays as it is. */
export function updateOrder(
  context: CatalogueContext,
  catalogueId: number,
  { orderId, status, adopter, precondition }: OrderUpdate,
): Promise<Result<Adoption, Problem>> {
  const { store, clock } = context;
  return changeOrder(context, { catalogueId, orderId, precondition }, async (from) => {
    const { returnedAt } = from;
    const to = status ?? from.status;
    if (to !== from.status && returnedAt !== undefined) return refused(wasReturned);
    const before = await withAdopter(store, catalogueId, from);
    const wanted = adopter && normalAdopter(adopter);
    if (to === from.status && isSame(before.adopter, wanted)) return done(unchanged(before));
    const change: Change = {
      kind: "order.update",
      catalogueId,
      from,
      to: { status: to, ...(returnedAt === undefined ? {} : { returnedAt }) },
      ...(wanted === undefined ? {} : { adopter: wanted }),
      at: clock.now(),
    };
    const kept = wanted === undefined ? before.adopter : (wanted ?? undefined);
    return done({
      changes: [change],
      value: ([order]) => ({
        ...orderOf(order),
        ...(kept === undefined ? {} : { adopter: kept }),
      }),
    });
  });
}

/**
 * Records that the animal was returned, and makes it available if it is still sold by this order. Repeating it changes
 * nothing.
 */
export function returnOrder(
  context: CatalogueContext,
  catalogueId: number,
  orderId: number,
  precondition: Precondition,
): Promise<Result<Adoption, Problem>> {
  const { store, clock } = context;
  return changeOrder(context, { catalogueId, orderId, precondition }, async (from) => {
    const before = await withAdopter(store, catalogueId, from);
    if (from.returnedAt !== undefined) return done(unchanged(before));
    const at = clock.now();
    const pet = await freed({ store, catalogueId, order: from, status: "available", at });
    return done({
      changes: [returnOf(catalogueId, from, at), ...pet],
      value: ([order]) => ({ ...before, ...orderOf(order) }),
    });
  });
}

/**
 * Removes an order that was a mistake, and its adopter. If the animal is still sold by it, the animal gets the status it
 * had before, in the same commit. Whatever else was changed since then stays.
 */
export function removeOrder(
  context: CatalogueContext,
  catalogueId: number,
  orderId: number,
  precondition: Precondition,
): Promise<Result<undefined, Problem>> {
  const { store, clock } = context;
  return changeOrder(context, { catalogueId, orderId, precondition }, async (from) => {
    const at = clock.now();
    const status = from.statusBefore ?? "available";
    const pet = await freed({ store, catalogueId, order: from, status, at });
    return done({
      changes: [{ kind: "order.remove", catalogueId, from, at }, ...pet],
      value: () => undefined,
    });
  });
}

/** What a change of an order commits, and its result. Without changes nothing is committed. */
interface Decided<Value> {
  readonly changes: readonly Change[];
  readonly value: (outcomes: readonly Outcome[]) => Value;
}

function unchanged<Value>(value: Value): Decided<Value> {
  return { changes: [], value: () => value };
}

/** Changes an order as `decide` says about its current version. */
function changeOrder<Value>(
  { store, commit }: CatalogueContext,
  {
    catalogueId,
    orderId,
    precondition,
  }: {
    readonly catalogueId: number;
    readonly orderId: number;
    readonly precondition: Precondition;
  },
  decide: (from: StoredOrder) => Promise<Result<Decided<Value>, Problem>>,
): Promise<Result<Value, Problem>> {
  return changeRow({
    read: () => store.orders.byId(catalogueId, orderId),
    precondition,
    refusals,
    write: async (from) => {
      const decided = await decide(from);
      if (!decided.ok) return decided;
      const { changes, value } = decided.value;
      return unlessStale(await commitWith(commit, changes, value), problemOf);
    },
  });
}

/** Returns the change that records the return of `pet` in its newest order; none if it has no order to record it in. */
export async function returnOfPet(
  store: StoreReads,
  catalogueId: number,
  pet: StoredPet,
  at: number,
): Promise<readonly Change[]> {
  const newest = await newestOrder(store, catalogueId, pet.id);
  return newest === undefined || newest.returnedAt !== undefined
    ? []
    : [returnOf(catalogueId, newest, at)];
}

const refusals = refusalsOf("order");

/** The refusal of a change that was decided on another version. */
export const orderHasChanged: Problem = refusals.changed;

const wasReturned: Problem = problem(
  "invalid_transition",
  "The animal of this order was returned, so the status of the order no longer changes.",
);

function returnOf(catalogueId: number, from: StoredOrder, at: number): Change {
  return {
    kind: "order.update",
    catalogueId,
    from,
    to: { status: from.status, returnedAt: at },
    at,
  };
}

/** Returns the change that gives an animal `status` if it is still sold by `order`. A later sale has its own order. */
async function freed({
  store,
  catalogueId,
  order,
  status,
  at,
}: {
  readonly store: StoreReads;
  readonly catalogueId: number;
  readonly order: StoredOrder;
  readonly status: PetStatus;
  readonly at: number;
}): Promise<readonly Change[]> {
  // The animal is read first: a sale after this read changes its version, and the commit starts over.
  const pet = await store.pets.byId(catalogueId, order.petId);
  if (pet?.status !== "sold" || order.returnedAt !== undefined) return [];
  const newest = await newestOrder(store, catalogueId, pet.id);
  if (newest?.id !== order.id) return [];
  const to = { ...petFieldsOf(pet), status };
  return [{ kind: "pet.update", catalogueId, from: pet, to, at }];
}

async function newestOrder(
  store: StoreReads,
  catalogueId: number,
  petId: number,
): Promise<StoredOrder | undefined> {
  const [newest] = await store.orders.list(catalogueId, { petId }, { limit: 1, order: "desc" });
  return newest;
}

async function withAdopter(
  store: StoreReads,
  catalogueId: number,
  order: StoredOrder,
): Promise<Adoption> {
  const adopter = await store.orders.adopter(catalogueId, order.id);
  return adopter === undefined ? order : { ...order, adopter };
}

/** Normalises texts. An adopter without any field is none. */
function normalAdopter({ name, contact, date }: Adopter): Adopter | null {
  const adopter: Adopter = {
    ...(name === undefined ? {} : { name: normalText(name) }),
    ...(contact === undefined ? {} : { contact: normalText(contact) }),
    ...(date === undefined ? {} : { date }),
  };
  return Object.keys(adopter).length === 0 ? null : adopter;
}

function isSame(before: Adopter | undefined, wanted: Adopter | null | undefined): boolean {
  if (wanted === undefined) return true;
  return (["name", "contact", "date"] as const).every(
    (field) => before?.[field] === wanted?.[field],
  );
}

function problemOf({ refusal }: Conflict): Problem {
  return refusal === "exists" ? answeredMeanwhile : refusals.missing;
}
