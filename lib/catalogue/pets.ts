import { answeredMeanwhile, problem, type Problem } from "../base/problem.ts";
import { done, refused, retried, type Result } from "../base/result.ts";
import {
  petDefaults,
  petFields,
  petFieldsIn,
  petFieldsOf,
  RESTORE_MS,
  type NewPet,
  type PetFields,
  type PetInput,
  type PetStatus,
  type StoredPet,
} from "./model.ts";
import { allowedAfter, isReturn } from "./model-changes.ts";
import { normalText } from "../model/text.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import { returnOfPet } from "./orders.ts";
import { petOf, type Also, type Conflict, type Outcome } from "../storage/change.ts";
import { ATTEMPTS, changeRow, commitWith, unlessStale, type CatalogueContext } from "./commit.ts";
import { petRefusals as refusals } from "./refusals.ts";

/** The input with its defaults, its texts normalised. */
export function normalPet(input: PetInput): NewPet {
  return petFieldsOf({ ...petDefaults, ...withoutUndefined(normalTexts(input)) });
}

/** Normalises the texts of fields. The values of a closed set stay as they are. */
function normalTexts<Fields extends PetFields>(fields: Fields): Fields {
  const normal = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" ? normalText(value) : value,
  ]);
  // A normalised text is a text.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(normal) as Fields;
}

/** Adds an animal and assigns its id. Refused with `unknown_category`. */
export async function createPet(
  { commit, clock }: CatalogueContext,
  catalogueId: number,
  input: PetInput,
  also: Also<StoredPet>,
): Promise<Result<StoredPet, Problem>> {
  const pet = normalPet(input);
  const committed = await commitWith(
    commit,
    [{ kind: "pet.create", catalogueId, pet, at: clock.now() }],
    firstPet,
    also,
  );
  return committed.ok ? committed : refused(problemOf(committed.failure, pet.categoryId));
}

export async function readPet(
  { store }: CatalogueContext,
  catalogueId: number,
  petId: number,
): Promise<Result<StoredPet, Problem>> {
  const pet = await store.pets.byId(catalogueId, petId);
  return pet === undefined ? refused(refusals.missing) : done(pet);
}

/** A change of an animal and its conditions. */
export interface PetUpdate {
  readonly petId: number;
  readonly fields: PetFields;
  /** Returns why the animal must not be changed. Absent: it may be. */
  readonly precondition?: ((pet: StoredPet) => Problem | undefined) | undefined;
  /** Allows the return of a sold animal. */
  readonly admin: boolean;
}

/** Changes what `fields` names. A change that changes nothing leaves the version. */
export function updatePet(
  { store, commit, clock }: CatalogueContext,
  catalogueId: number,
  { petId, fields, precondition, admin }: PetUpdate,
  also: Also<StoredPet>,
): Promise<Result<StoredPet, Problem>> {
  return changeRow({
    read: () => store.pets.byId(catalogueId, petId),
    precondition,
    refusals,
    write: async (from) => {
      const to = petFieldsOf({ ...from, ...normalTexts(petFieldsIn(fields)) });
      if (to.status !== from.status && !allowedAfter[from.status].includes(to.status)) {
        return refused(badTransition(from.status, to.status));
      }
      if (isReturn(from.status, to.status) && !admin) return refused(returnsNeedAdmin);
      const same = petFields.every((field) => to[field] === from[field]);
      const at = clock.now();
      const returned = isReturn(from.status, to.status)
        ? await returnOfPet(store, catalogueId, from, at)
        : [];
      const committed = await commitWith(
        commit,
        same ? [] : [{ kind: "pet.update", catalogueId, from, to, at }, ...returned],
        same ? () => from : firstPet,
        also,
      );
      return unlessStale(committed, (conflict) => problemOf(conflict, to.categoryId));
    },
  });
}

/** Hides an animal; it can be restored for 48 hours. */
export function deletePet(
  { store, commit, clock }: CatalogueContext,
  catalogueId: number,
  petId: number,
  precondition: PetUpdate["precondition"],
): Promise<Result<undefined, Problem>> {
  return changeRow({
    read: () => store.pets.byId(catalogueId, petId),
    precondition,
    refusals,
    write: async (from) => {
      const committed = await commitWith(
        commit,
        [{ kind: "pet.delete", catalogueId, from, at: clock.now() }],
        () => undefined,
      );
      return unlessStale(committed, problemOf);
    },
  });
}

/** Restores an animal that was deleted less than 48 hours ago; one that is not deleted stays as it is. */
export function restorePet(
  { store, commit, clock }: CatalogueContext,
  catalogueId: number,
  petId: number,
  also: Also<StoredPet>,
): Promise<Result<StoredPet, Problem>> {
  return retried(ATTEMPTS, refusals.busy, async () => {
    const at = clock.now();
    const present = await store.pets.byId(catalogueId, petId);
    const committed = await commitWith(
      commit,
      present === undefined
        ? [{ kind: "pet.restore", catalogueId, petId, deletedAfter: at - RESTORE_MS, at }]
        : [],
      present === undefined ? firstPet : () => present,
      also,
    );
    if (committed.ok) return committed;
    // Another request may just have restored it.
    const missing = committed.failure.refusal === "missing";
    if (missing && (await store.pets.byId(catalogueId, petId)) !== undefined) return undefined;
    return refused(problemOf(committed.failure));
  });
}

/** Returns the pet, which the first change of the commit wrote. */
const firstPet = ([pet]: readonly Outcome[]): StoredPet => petOf(pet);

/** The refusal of a category that the catalogue does not have. */
export function unknownCategory(categoryId: number): Problem {
  const message = `There is no category ${categoryId}. GET /categories lists them.`;
  return problem("unknown_category", message, {
    errors: [{ pointer: "/categoryId", code: "unknown_category", message }],
  });
}

const returnsNeedAdmin: Problem = problem(
  "insufficient_scope",
  'Taking back a sold animal ("sold" to "available") needs the scope pets:admin.',
  { scope: "pets:admin" },
);

function badTransition(from: PetStatus, to: PetStatus): Problem {
  const allowed = allowedAfter[from].map((status) => `"${status}"`).join(" or ");
  return problem(
    "invalid_transition",
    `The status cannot go from "${from}" to "${to}". From "${from}" it may become ${allowed}.`,
  );
}

function problemOf({ refusal }: Conflict, categoryId: number = 0): Problem {
  switch (refusal) {
    case "unknown_category":
      return unknownCategory(categoryId);
    case "exists":
      // Only the recorded answer can exist already.
      return answeredMeanwhile;
    case "stale":
    case "missing":
    case "in_use":
    case "limit":
    case "quota":
      return refusals.missing;
  }
}
