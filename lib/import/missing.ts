import { LargeMap } from "../base/large-map.ts";
import type { StoredPet } from "../catalogue/model.ts";
import type { Profile, StoredProfile } from "../catalogue/model-profile.ts";
import type { StoreReads } from "../storage/store.ts";
import type { ImportRequest } from "./choices-schema.ts";
import type { Mapping } from "./mapping.ts";
import { keyOf } from "./read-profile.ts";

/** The keys of the rows of a file, also of rows that are left out. */
export interface FileKeys {
  /** Notes the key of a row. */
  readonly note: (key: Profile) => void;
  /** The rows that have a key. */
  readonly count: () => number;
  readonly has: (key: Profile) => boolean;
  /** Returns true if the animal comes from a source of the file. */
  readonly isOfSource: (key: Profile) => boolean;
}

/** Creates the keys of a file whose rows were not read yet; undefined if it has no column with keys. */
export function fileKeys({ columns, preset }: Mapping): FileKeys | undefined {
  if (!columns.some(({ fields }) => fields.includes("externalId"))) return undefined;
  const keys = new LargeMap<string, true>();
  const sources = new Set<string>();
  let rows = 0;
  return {
    note: (key) => {
      rows++;
      keys.add(keyOf(key), true);
      sources.add(key.source ?? "");
    },
    count: () => rows,
    has: (key) => keys.has(keyOf(key)),
    isOfSource: ({ source = "" }) =>
      rows === 0 ? source === (preset?.name ?? "") : sources.has(source),
  };
}

/** An animal from a source of the file that is not sold. */
export interface OfSource {
  readonly pet: StoredPet;
  readonly profile: StoredProfile;
  /** The file does not have it. */
  readonly missing: boolean;
}

const PAGE = 1_000;

/** Passes on the animals from the sources of a file that are not sold, in the order of their ids. */
export async function* animalsOfSources(
  store: StoreReads,
  catalogueId: number,
  keys: FileKeys,
  {
    after: first = 0,
    lastId = Infinity,
  }: { readonly after?: number; readonly lastId?: number } = {},
): AsyncGenerator<readonly OfSource[]> {
  for (let after = first; ;) {
    const pets = await store.pets.list(catalogueId, {}, { limit: PAGE, order: "asc", after });
    const open = pets.filter(({ id, status }) => id <= lastId && status !== "sold");
    yield await ofSources(store, catalogueId, keys, open);
    after = pets.at(-1)?.id ?? after;
    if (pets.length < PAGE || after >= lastId) return;
  }
}

/** Returns those of at most 1,000 animals that are from the sources of a file and not sold. */
export async function ofSources(
  store: StoreReads,
  catalogueId: number,
  keys: FileKeys,
  pets: readonly StoredPet[],
): Promise<readonly OfSource[]> {
  const ids = pets.map(({ id }) => id);
  const profiles = new Map(
    (await store.profiles.of(catalogueId, ids)).map((profile) => [profile.petId, profile]),
  );
  return pets.flatMap((pet) => {
    const profile = profiles.get(pet.id);
    if (pet.status === "sold" || profile?.fields.externalId === undefined) return [];
    if (!keys.isOfSource(profile.fields)) return [];
    return [{ pet, profile, missing: !keys.has(profile.fields) }];
  });
}

/** The animals that are here and not in the file. */
export interface Missing {
  readonly count: number;
  /** The animals of the same sources that are here and not sold. */
  readonly of: number;
  /** The first of the missing ones, at most 20. */
  readonly first: readonly { readonly id: number; readonly name: string }[];
  /** The rows with faults whose key is not known: any animal could be theirs. */
  readonly unread: number;
}

const MAX_FIRST = 20;

/** Counts the animals that are here and not in the file. */
export async function countMissing(
  animals: AsyncIterable<readonly OfSource[]>,
  unread: number,
): Promise<Missing> {
  let [count, of] = [0, 0];
  const first: { readonly id: number; readonly name: string }[] = [];
  for await (const some of animals) {
    of += some.length;
    for (const { pet, missing } of some) {
      if (!missing) continue;
      count++;
      if (first.length < MAX_FIRST) first.push({ id: pet.id, name: pet.name });
    }
  }
  return { count, of, first, unread };
}

/** What has to be asked before missing animals are set to sold. */
export type MissingQuestion = "missing_key" | "many_missing";

/** Returns what has to be asked about missing animals; undefined if nothing. */
export function missingQuestion(
  missing: Missing | undefined,
  request: Pick<ImportRequest, "missing" | "manyMissing">,
): MissingQuestion | undefined {
  if (request.missing !== "sold") return undefined;
  if (missing === undefined || missing.unread > 0) return "missing_key";
  const many = missing.count * 2 > missing.of;
  return many && request.manyMissing !== true ? "many_missing" : undefined;
}
