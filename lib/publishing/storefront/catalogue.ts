import type { StoredPet } from "../../catalogue/model.ts";
import { publicProfile, type Profile } from "../../catalogue/model-profile.ts";
import type { Store } from "../../storage/store.ts";
import type { Bio, Bios } from "./bio.ts";
import { deployedPhoto, profilePhoto, type Photo } from "./photo.ts";
import { type Presentation, pageSizeOf } from "./presentation.ts";
import type { ListQuery } from "./route.ts";
import { bySimilarity } from "./similar.ts";
import { listShown, isShown, narrow, type Shown } from "./shown.ts";

/** An animal with its category, photos and bio. The files of a deploy win over the animal's profile. */
export interface Animal {
  readonly pet: StoredPet;
  /** The category's name. */
  readonly category: string;
  readonly photo: Photo | undefined;
  /** Its other photos, in their order. */
  readonly gallery: readonly Photo[];
  readonly bio: Bio | undefined;
  /** The profile without what only staff may see. */
  readonly profile: Profile;
}

/** One page of a list, and the queries of its neighbours. */
export interface ListPage {
  readonly query: ListQuery;
  readonly animals: readonly Animal[];
  readonly previous: ListQuery | undefined;
  readonly next: ListQuery | undefined;
}

/** Reads the contents of pages. */
export interface Catalogue {
  /** Returns undefined if the animal does not exist or is hidden. */
  animal(id: number, presentation: Presentation): Promise<Animal | undefined>;
  /** Returns a few other animals: those of the same category first, and of these the most similar. */
  others(animal: Animal, presentation: Presentation): Promise<readonly Animal[]>;
  /** Returns at most `size` animals, by default the site's page size. Undefined if the query's category or status is unknown or hidden. */
  page(query: ListQuery, presentation: Presentation, size?: number): Promise<ListPage | undefined>;
}

export function createCatalogue(store: Store, bios: Bios): Catalogue {
  const described = async (
    pets: readonly StoredPet[],
    { site, shown }: Presentation,
  ): Promise<readonly Animal[]> => {
    const names = new Map<number, string>();
    for (const id of new Set(pets.map(({ categoryId }) => categoryId))) {
      names.set(id, (await store.categories.byId(shown.catalogueId, id))?.name ?? "");
    }
    const ids = pets.map(({ id }) => id);
    const [profiles, photos] = await Promise.all([
      store.profiles.of(shown.catalogueId, ids),
      store.photos.of(shown.catalogueId, ids),
    ]);
    const profileOf = new Map(profiles.map(({ petId, fields }) => [petId, publicProfile(fields)]));
    return Promise.all(
      pets.map(async (pet) => {
        const own = photos.filter(({ petId }) => petId === pet.id);
        const gallery = own.flatMap((photo) => profilePhoto(photo) ?? []);
        const deployed = deployedPhoto(site, pet.id);
        const profile = profileOf.get(pet.id) ?? {};
        return {
          pet,
          category: names.get(pet.categoryId) ?? "",
          photo: deployed ?? gallery[0],
          gallery: deployed === undefined ? gallery.slice(1) : [],
          bio: await bios(site, pet.id, profile.text),
          profile,
        };
      }),
    );
  };

  return {
    animal: async (id, presentation) => {
      const pet = await store.pets.byId(presentation.shown.catalogueId, id);
      if (pet === undefined || !isShown(presentation.shown, pet)) return undefined;
      return (await described([pet], presentation))[0];
    },
    others: async ({ pet, profile }, presentation) => {
      const { shown } = presentation;
      const page = { limit: CANDIDATES, order: "desc" } as const;
      const kin = await listShown(store, { ...shown, categoryIds: [pet.categoryId] }, page);
      const profiles = await store.profiles.of(
        shown.catalogueId,
        kin.map(({ id }) => id),
      );
      const byPet = new Map(profiles.map(({ petId, fields }) => [petId, publicProfile(fields)]));
      const alike = bySimilarity(profile, kin, ({ id }) => byPet.get(id) ?? {});
      const any =
        alike.length > OTHERS
          ? []
          : await listShown(store, shown, { ...page, limit: 2 * OTHERS + 1 });
      const byId = new Map([...alike, ...any].map((one) => [one.id, one]));
      byId.delete(pet.id);
      return described([...byId.values()].slice(0, OTHERS), presentation);
    },
    page: async (query, presentation, size = pageSizeOf(presentation.settings)) => {
      const shown = narrow(presentation.shown, query, presentation.today);
      const { category } = query;
      if (
        shown === undefined ||
        (category !== undefined &&
          (await store.categories.byId(shown.catalogueId, category)) === undefined)
      ) {
        return undefined;
      }
      const order = presentation.settings.sort === "oldest" ? "asc" : "desc";
      const cut = await cutOut(store, shown, { query, order, size });
      return { ...cut, query, animals: await described(cut.pets, presentation) };
    },
  };
}

/** Other animals on an animal's page. */
const OTHERS = 4;

/** The newest animals of a category, among which similar ones are sought. */
const CANDIDATES = 30;

type Cut = Omit<ListPage, "query" | "animals"> & { readonly pets: readonly StoredPet[] };

/** Reads the animals of one page and finds its neighbours. */
async function cutOut(
  store: Store,
  shown: Shown,
  {
    query: { after, before, ...filter },
    order,
    size,
  }: { readonly query: ListQuery; readonly order: "asc" | "desc"; readonly size: number },
): Promise<Cut> {
  const reverse = order === "asc" ? "desc" : "asc";
  if (before !== undefined) {
    const found = await listShown(store, shown, { order: reverse, limit: size + 1, after: before });
    // Less than a full page before it: show the whole first page.
    if (found.length > size) {
      const pets = found.slice(0, size).toReversed();
      const [first, last] = [pets[0], pets.at(-1)];
      return {
        pets,
        previous: first && { ...filter, before: first.id },
        next: last && { ...filter, after: last.id },
      };
    }
  }
  const start = before === undefined ? after : undefined;
  const found = await listShown(store, shown, {
    order,
    limit: size + 1,
    ...(start !== undefined && { after: start }),
  });
  const pets = found.slice(0, size);
  const [first, last] = [pets[0], pets.at(-1)];
  const earlier =
    start === undefined || first === undefined
      ? []
      : await listShown(store, shown, { order: reverse, limit: 1, after: first.id });
  return {
    pets,
    previous:
      first !== undefined && earlier.length > 0 ? { ...filter, before: first.id } : undefined,
    next: last !== undefined && found.length > size ? { ...filter, after: last.id } : undefined,
  };
}
