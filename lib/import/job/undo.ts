import { petFields, petFieldsOf, type StoredOrder, type StoredPet } from "../../catalogue/model.ts";
import type { StoredProfile } from "../../catalogue/model-profile.ts";
import type { Change } from "../../storage/change.ts";
import { MAX_NAMED, type BatchRecord, type UndoProgress, type UpdatedAnimal } from "./model.ts";
import { photosStep } from "./photos.ts";
import { batchDone, recordStep, stepDone } from "./records.ts";
import type { Work } from "./work.ts";

/** The most animals of a part, and of a commit. */
const MOST_ANIMALS = 100;

/** An animal that can be undone, with the changes that do so. */
interface Undoing {
  readonly pet: StoredPet;
  readonly changes: readonly Change[];
}

/** Removes what an import has added and restores what it has changed, except for animals that were changed since. */
export async function undoImport(work: Work): Promise<void> {
  const { store, clock } = work.context;
  const { row } = work;
  const { accountId, catalogueId, details } = row;
  let undo: UndoProgress = { undone: 0, kept: 0, named: [] };
  let batches = 0;
  while ((await batchDone(store, row, batches)) !== undefined) {
    batches++;
    await work.giveWayIfDue();
  }
  for (let batch = batches - 1; batch >= 0; batch--) {
    const record = await batchDone(store, row, batch);
    if (record === undefined) continue;
    const parts = partsOf(record);
    for (const [index, part] of parts.entries()) {
      for (let from = 0; from < MOST_ANIMALS;) {
        const step = `undo ${batch}.${index}${from === 0 ? "" : `.${from}`}`;
        const { next = MOST_ANIMALS, ...undone } = await undoSome(work, step, part, from);
        from = next;
        undo = joined(undo, undone);
        await work.note({ undo, done: Math.max(0, batches - 1 - batch), rows: batches });
        await work.giveWay();
      }
    }
  }
  const at = clock.now();
  await work.commit([
    {
      kind: "event.write",
      accountId,
      catalogueId,
      type: "import.undone",
      data: {
        import: {
          id: row.id,
          fileName: details.fileName,
          undone: undo.undone,
          kept: undo.kept,
        },
      },
      at,
    },
    recordStep(row, "undo end", at, () => true),
  ]);
  await work.save("undone", { undo });
}

/** A part of a batch, of animals that are undone in the same way. */
type Part = Pick<BatchRecord, "added" | "updated">;

function partsOf({ added, updated }: BatchRecord): readonly Part[] {
  const parts: Part[] = [];
  for (let from = 0; from < added.length; from += MOST_ANIMALS) {
    parts.push({ added: added.slice(from, from + MOST_ANIMALS), updated: [] });
  }
  for (let from = 0; from < updated.length; from += MOST_ANIMALS) {
    parts.push({ added: [], updated: updated.slice(from, from + MOST_ANIMALS) });
  }
  return parts;
}

function joined(one: UndoProgress, other: UndoProgress): UndoProgress {
  return {
    undone: one.undone + other.undone,
    kept: one.kept + other.kept,
    named: [...one.named, ...other.named].slice(0, MAX_NAMED),
  };
}

/** What a commit has undone. */
interface Undone extends UndoProgress {
  /** The first animal of the part that is left; absent if none is. */
  readonly next?: number;
}

/** Undoes animals of a part, once. Leaves out those whose changes are refused, because somebody else changes them. */
async function undoSome(work: Work, step: string, whole: Part, from: number): Promise<Undone> {
  const { store, clock } = work.context;
  const { row } = work;
  const refused = new Set<number>();
  const to = from + work.animalsAtOnce(MOST_ANIMALS);
  const part = { added: whole.added.slice(from, to), updated: whole.updated.slice(from, to) };
  const isLast = to >= Math.max(whole.added.length, whole.updated.length);
  for (;;) {
    const earlier = await stepDone(store, row, step);
    // Only `recordStep` writes it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (earlier !== undefined) return JSON.parse(earlier) as Undone;
    const at = clock.now();
    const { undoing, kept } = await decide(work, part, at, refused);
    const named = kept.slice(0, MAX_NAMED).map(({ id, name }) => ({ id, name }));
    const progress: Undone = {
      ...{ undone: undoing.length, kept: kept.length, named },
      ...(isLast ? {} : { next: to }),
    };
    const changes = undoing.flatMap((one) => one.changes);
    const done = await work.commit([...changes, recordStep(row, step, at, () => progress)]);
    if (done.ok) return progress;
    let index = done.failure.index;
    for (const { pet, changes: own } of undoing) {
      if (index >= 0 && index < own.length) refused.add(pet.id);
      index -= own.length;
    }
  }
}

async function decide(
  { context: { store }, row }: Work,
  { added, updated }: Part,
  at: number,
  refused: ReadonlySet<number>,
): Promise<{ readonly undoing: readonly Undoing[]; readonly kept: readonly StoredPet[] }> {
  const { catalogueId } = row;
  const ids = [...added, ...updated.map(({ pet }) => pet.id)];
  const page = { limit: MOST_ANIMALS, order: "asc" } as const;
  const pets = ids.length === 0 ? [] : await store.pets.list(catalogueId, { ids }, page);
  const profiles = new Map(
    (await store.profiles.of(catalogueId, ids)).map((profile) => [profile.petId, profile]),
  );
  const before = new Map(updated.map((one) => [one.pet.id, one]));
  const undoing: Undoing[] = [];
  const kept: StoredPet[] = [];
  for (const pet of pets) {
    const orders =
      pet.status === "sold"
        ? await store.orders.list(catalogueId, { petId: pet.id }, { limit: 10, order: "desc" })
        : [];
    const earlier = before.get(pet.id);
    const profile = profiles.get(pet.id);
    const imported = earlier?.profileVersion ?? 1;
    const pictured =
      (profile?.version ?? 0) > imported
        ? Number((await stepDone(store, row, photosStep(pet.id))) ?? imported)
        : imported;
    const photos =
      pictured > imported ? (await store.photos.of(catalogueId, [pet.id])).map(({ id }) => id) : [];
    const own = { catalogueId, pet, profile, pictured, photos, orders, at };
    const changes = earlier === undefined ? removal(own) : restoration(own, earlier);
    if (changes === undefined || refused.has(pet.id)) kept.push(pet);
    else undoing.push({ pet, changes });
  }
  return { undoing, kept };
}

interface Present {
  readonly catalogueId: number;
  readonly pet: StoredPet;
  readonly profile: StoredProfile | undefined;
  /** The version of the profile after the import has added its photos, or described it. */
  readonly pictured: number;
  /** The photos that the animal has, if the import has added some. */
  readonly photos: readonly number[];
  /** Only for a sold animal. */
  readonly orders: readonly StoredOrder[];
  readonly at: number;
}

/** Returns the changes that remove an animal; undefined if it was changed since it was added. */
function removal({
  catalogueId,
  pet,
  profile,
  pictured,
  orders,
  at,
}: Present): readonly Change[] | undefined {
  const changed = pet.version !== 1 || (profile?.version ?? 0) > pictured;
  if (changed || orders.some(({ version }) => version !== 1)) return undefined;
  return [
    ...orders.map((from): Change => ({ kind: "order.remove", catalogueId, from, at })),
    { kind: "pet.delete", catalogueId, from: pet, profileVersion: profile?.version ?? 0, at },
  ];
}

/** Returns the changes that restore an animal; undefined if it was changed since the import changed it. */
function restoration(
  { catalogueId, pet, profile, pictured, photos, orders, at }: Present,
  before: UpdatedAnimal,
): readonly Change[] | undefined {
  const version = profile?.version ?? 0;
  // Each photo makes another version.
  const isOwn = pictured - before.profileVersion === photos.length;
  if (pet.version !== before.petVersion || version !== pictured || !isOwn) return undefined;
  const sale = orders.filter(
    ({ createdAt, version: changes }) => createdAt === before.soldAt && changes === 1,
  );
  const changes = sale
    .slice(0, 1)
    .map((from): Change => ({ kind: "order.remove", catalogueId, from, at }));
  if (petFields.some((field) => pet[field] !== before.pet[field])) {
    const to = petFieldsOf(before.pet);
    changes.push({ kind: "pet.update", catalogueId, from: pet, to, soldAt: null, at });
  }
  if (profile !== undefined) {
    const to = before.profile;
    changes.push({ kind: "profile.set", catalogueId, petId: pet.id, from: version, to, at });
  }
  for (const photoId of photos) {
    changes.push({ kind: "photo.remove", catalogueId, petId: pet.id, photoId, at });
  }
  return changes;
}
