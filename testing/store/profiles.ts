import { isoTime } from "../../lib/base/clock.ts";
import { RESTORE_MS } from "../../lib/catalogue/model.ts";
import {
  MAX_PHOTOS,
  publicProfile,
  type NewPhoto,
  type Profile,
  type ProfileFilter,
  type StoredPhoto,
  type StoredProfile,
} from "../../lib/catalogue/model-profile.ts";
import type { ChangeOf, Outcome } from "../../lib/storage/change.ts";
import { BrokenContract, equal } from "../contract-case.ts";
import { newPet, START, storeCases, type Shelter, type StoreCase } from "../shelter.ts";

/** A profile with every member. */
export const fullProfile: Profile = {
  sex: "female",
  neutered: true,
  birth: { date: "2024-03-01", precision: "month" },
  breed: { text: "Déutsch Drahthaar", mixed: false },
  colour: "brown",
  size: "large",
  goodWith: { children: "yes", dogs: "unknown", cats: "no" },
  specialNeeds: "Eye drops\ntwice a day",
  fee: "€ 250",
  text: "# Bella\n\nLikes *long* walks.",
  staffNotes: "Bites the vet",
  microchip: "276098106123456",
  externalId: "A-1",
  source: "asm3",
  intakeAt: START - 1,
};

export function newPhoto(bytes: number = 100): NewPhoto {
  const size = { width: 400, height: 300, type: "image/webp", start: 0, bytes: 10 } as const;
  return { hash: "a".repeat(64), width: 800, height: 600, sizes: [size], bytes };
}

const set = (
  { production: catalogueId }: Shelter,
  petId: number,
  to: Profile,
  from = 0,
): ChangeOf<"profile.set"> => ({
  kind: "profile.set",
  catalogueId,
  petId,
  from,
  to,
  at: START + 1 + from,
});

const add = ({ production: catalogueId }: Shelter, petId: number, photo: NewPhoto = newPhoto()) =>
  ({ kind: "photo.add", catalogueId, petId, photo, maxBytes: 10_000, at: START + 1 }) as const;

const aPhoto = (outcome: Outcome): StoredPhoto => {
  if (typeof outcome === "object" && "hash" in outcome) return outcome;
  throw new BrokenContract("The outcome is a photo.");
};

const profileOf = async ({ store, production }: Shelter, petId: number): Promise<unknown> =>
  (await store.profiles.of(production, [petId]))[0];

const photoIds = async ({ store, production }: Shelter, petId: number): Promise<unknown> =>
  (await store.photos.of(production, [petId])).map(({ id }) => id);

const refused = (refusal: string, index = 0): unknown => ({ index, refusal });

/** Profiles and photos. */
export const profileCases: readonly StoreCase[] = storeCases({
  "a profile keeps every member, until it is to lack it": async (shelter) => {
    const { store, production, staging, commit, addPet } = shelter;
    const pet = await addPet();
    const first: StoredProfile = {
      petId: pet.id,
      version: 1,
      updatedAt: START + 1,
      fields: fullProfile,
    };
    const before = await store.catalogues.revision(production);
    equal(await commit(set(shelter, pet.id, fullProfile)), [first], "outcome");
    equal(await profileOf(shelter, pet.id), first, "read");
    equal((await store.catalogues.revision(production)) > before, true, "revision");
    equal(await store.pets.byId(production, pet.id), pet, "the animal");
    equal(await store.profiles.of(staging, [pet.id]), [], "elsewhere");
    equal(await store.profiles.of(production, []), [], "of none");
    const fields: Profile = { breed: { mixed: true }, goodWith: { cats: "yes" }, neutered: false };
    const second = { ...first, version: 2, updatedAt: START + 2, fields };
    equal(await commit(set(shelter, pet.id, fields, 1)), [second], "second outcome");
    equal(await profileOf(shelter, pet.id), second, "second read");
  },

  "a profile's event has no member that is only for staff": async (shelter) => {
    const { store, commit, addPet } = shelter;
    const pet = await addPet();
    const seq = await store.events.last();
    await commit(set(shelter, pet.id, fullProfile));
    const [event] = await store.events.after(seq, 2);
    const intakeAt = isoTime(START - 1);
    equal(event?.type, "pet.profile_updated", "type");
    equal<unknown>(
      event?.data,
      { petId: pet.id, profile: { ...publicProfile(fullProfile), intakeAt } },
      "data",
    );
  },

  "a pet is changed and deleted only while its profile has the version that it was decided on":
    async (shelter) => {
      const { store, production: catalogueId, commit, refusal, addPet } = shelter;
      const from = await addPet();
      const at = START + 1;
      const change = (profileVersion: number) =>
        ({ kind: "pet.update", catalogueId, from, to: from, profileVersion, at }) as const;
      const removal = (profileVersion: number) =>
        ({ kind: "pet.delete", catalogueId, from, profileVersion, at }) as const;
      equal(await refusal(change(1)), refused("stale"), "a profile that it does not have yet");
      equal(await refusal(removal(1)), refused("stale"), "the same for a deletion");
      await commit(set(shelter, from.id, fullProfile));
      equal(await refusal(change(0)), refused("stale"), "changed meanwhile");
      equal(await refusal(removal(0)), refused("stale"), "deleted after a change");
      equal(await store.pets.byId(catalogueId, from.id), from, "the pet");
      await commit(removal(1));
      equal(await store.pets.byId(catalogueId, from.id), undefined, "deleted");
    },

  "a profile of another version, or of no present animal, is refused": async (shelter) => {
    const { commit, refusal, addPet, production: catalogueId } = shelter;
    const pet = await addPet();
    equal(await refusal(set(shelter, 9, {})), refused("missing"), "unknown animal");
    equal(await refusal(set(shelter, pet.id, {}, 1)), refused("stale"), "no profile yet");
    await commit(set(shelter, pet.id, {}));
    equal(await refusal(set(shelter, pet.id, {})), refused("stale"), "not the first");
    await commit({ kind: "pet.delete", catalogueId, from: pet, at: START });
    equal(await refusal(set(shelter, pet.id, {}, 1)), refused("missing"), "deleted animal");
  },

  "an external id is unique for its source among present animals": async (shelter) => {
    const { store, commit, refusal, addPet, production } = shelter;
    const pets = [await addPet(), await addPet(), await addPet()];
    const [one = 0, two = 0, three = 0] = pets.map(({ id }) => id);
    const key = { externalId: "A-1", source: "asm3" };
    await commit(set(shelter, one, key));
    equal(await refusal(set(shelter, two, key)), refused("exists"), "the same");
    await commit(set(shelter, two, { externalId: "A-1" }));
    await commit(set(shelter, three, { externalId: "A-2", source: "asm3" }));
    equal(
      await refusal(set(shelter, three, { externalId: "A-1" }, 1)),
      refused("exists"),
      "no source",
    );
    const of = async (source: string | undefined, ...ids: string[]): Promise<unknown> =>
      (await store.profiles.byExternalIds(production, source, ids)).map(({ petId }) => petId);
    equal(await of("asm3", "A-2", "A-1", "A-3"), [one, three], "by external ids");
    equal(await of(undefined, "A-1"), [two], "without source");
    equal(await of("asm3"), [], "none");
  },

  "an external id of a deleted animal goes to the animal that takes it": async (shelter) => {
    const { store, commit, addPet, production: catalogueId } = shelter;
    const [old, fresh] = [await addPet(), await addPet()];
    const key = { externalId: "A-1", source: "asm3" } as const;
    await commit(set(shelter, old.id, { ...key, sex: "male" }));
    await commit({ kind: "pet.delete", catalogueId, from: old, at: START });
    equal(await store.profiles.byExternalIds(catalogueId, "asm3", ["A-1"]), [], "deleted");
    await commit(set(shelter, fresh.id, key));
    const after = START - RESTORE_MS;
    await commit({
      kind: "pet.restore",
      catalogueId,
      petId: old.id,
      deletedAfter: after,
      at: START,
    });
    const left = { petId: old.id, version: 2, updatedAt: START + 1 };
    equal(
      await profileOf(shelter, old.id),
      { ...left, fields: { sex: "male", source: "asm3" } },
      "old",
    );
    const [found] = await store.profiles.byExternalIds(catalogueId, "asm3", ["A-1"]);
    equal(found?.petId, fresh.id, "holder");
  },

  "animals are selected by their profiles": async (shelter) => {
    const { store, commit, addPet, production } = shelter;
    for (const name of ["Zoë", "Rex", "Bella", "Bello"]) await addPet({ name });
    await commit(
      set(shelter, 1, fullProfile),
      set(shelter, 2, { sex: "female", size: "small", goodWith: { cats: "yes", dogs: "yes" } }),
      set(shelter, 3, { birth: { date: "2024-02-29", precision: "day" }, breed: { text: "Rex" } }),
    );
    equal(
      await store.profiles.values(production),
      {
        sexes: ["female"],
        sizes: ["small", "large"],
        goodWith: ["children", "dogs", "cats"],
        births: true,
      },
      "values",
    );
    const none = { sexes: [], sizes: [], goodWith: [], births: false };
    equal(await store.profiles.values(shelter.staging), none, "values elsewhere");
    const found: (readonly [ProfileFilter, readonly number[]])[] = [
      [{}, [1, 2, 3, 4]],
      [{ sex: "female" }, [1, 2]],
      [{ sex: "female", size: "small" }, [2]],
      [{ goodWith: ["children"] }, [1]],
      [{ goodWith: ["cats", "dogs"] }, [2]],
      [{ goodWith: ["cats", "dogs", "children"] }, []],
      [{ bornFrom: "2024-03-01" }, [1]],
      [{ bornFrom: "2024-02-29~" }, [1]],
      [{ bornUntil: "2024-02-29" }, [3]],
      [{ bornFrom: "2024-02-29", bornUntil: "2024-03-01" }, [1, 3]],
      [{ words: "DRAHT" }, [1]],
      [{ words: "zoe" }, [1]],
      [{ words: "rex" }, [2, 3]],
      [{ words: "%" }, []],
      [{ words: "rex", sex: "female" }, [2]],
    ];
    for (const [profile, ids] of found) {
      const what = JSON.stringify(profile);
      const page = { limit: 9, order: "asc" } as const;
      const listed = await store.pets.list(production, { profile }, page);
      equal(
        listed.map(({ id }) => id),
        ids,
        what,
      );
      equal(await store.pets.count(production, { profile }), ids.length, `${what}, count`);
    }
    const page = { limit: 1, order: "desc", after: 2 } as const;
    const filter = { profile: { sex: "female" }, status: "available", categoryId: 1 } as const;
    equal((await store.pets.list(production, filter, page))[0]?.id, 1, "second page");
  },

  "animals are created with their profiles": async (shelter) => {
    const { store, commit, refusal, production: catalogueId } = shelter;
    const create = (profile?: Profile): ChangeOf<"pet.create"> => ({
      kind: "pet.create",
      catalogueId,
      pet: newPet({ status: "sold" }),
      at: START,
      ...(profile === undefined ? {} : { profile }),
    });
    const seq = await store.events.last();
    await commit(create(fullProfile), create(), create({ externalId: "A-1" }));
    equal(
      await store.profiles.of(catalogueId, [3, 2, 1]),
      [
        { petId: 1, version: 1, updatedAt: START, fields: fullProfile },
        { petId: 3, version: 1, updatedAt: START, fields: { externalId: "A-1" } },
      ],
      "profiles",
    );
    equal(
      (await store.events.after(seq, 9)).map(({ type }) => type),
      [
        ...["pet.created", "order.placed", "pet.profile_updated"],
        ...["pet.created", "order.placed"],
        ...["pet.created", "order.placed", "pet.profile_updated"],
      ],
      "events",
    );
    const twice = [create({ externalId: "B" }), create(), create({ externalId: "B" })];
    equal(await refusal(...twice), refused("exists", 2), "twice in one commit");
    equal(await refusal(create(fullProfile)), refused("exists"), "alone");
    equal(await store.pets.count(catalogueId, {}), 3, "animals");
  },

  "photos keep their order and their numbers": async (shelter) => {
    const { store, commit, refusal, addPet, production: catalogueId } = shelter;
    const pet = await addPet();
    const of = { catalogueId, petId: pet.id, at: START + 2 };
    const seq = await store.events.last();
    const [first] = await commit(add(shelter, pet.id, { ...newPhoto(), focus: { x: 0, y: 100 } }));
    const [second] = await commit(add(shelter, pet.id));
    const stored = { petId: pet.id, createdAt: START + 1 };
    equal(
      [aPhoto(first), aPhoto(second)],
      [
        { ...newPhoto(), focus: { x: 0, y: 100 }, ...stored, id: 1, position: 1 },
        { ...newPhoto(), ...stored, id: 2, position: 2 },
      ],
      "outcomes",
    );
    equal(await store.photos.of(catalogueId, [pet.id]), [aPhoto(first), aPhoto(second)], "read");
    await commit({ kind: "photo.order", ...of, ids: [2, 1] });
    equal(await photoIds(shelter, pet.id), [2, 1], "ordered");
    for (const ids of [[2], [2, 2], [2, 3], [2, 1, 3]]) {
      const refusedOrder = await refusal({ kind: "photo.order", ...of, ids });
      equal(refusedOrder, refused("stale"), `order ${ids.join()}`);
    }
    await commit({ kind: "photo.remove", ...of, photoId: 2 });
    equal(
      await refusal({ kind: "photo.remove", ...of, photoId: 2 }),
      refused("missing"),
      "removed twice",
    );
    await commit(add(shelter, pet.id));
    equal(await photoIds(shelter, pet.id), [1, 3], "after another one");
    const [changed] = await commit({
      kind: "photo.change",
      ...of,
      photoId: 1,
      alt: "Bella runs",
      focus: null,
    });
    equal(aPhoto(changed).alt, "Bella runs", "alt");
    equal(aPhoto(changed).focus, undefined, "focus");
    const [bare] = await commit({ kind: "photo.change", ...of, photoId: 1, alt: null });
    equal(aPhoto(bare).alt, undefined, "no alt");
    equal(
      await refusal({ kind: "photo.change", ...of, photoId: 2, alt: "Gone" }),
      refused("missing"),
      "change of a removed photo",
    );
    const expected = { petId: pet.id, version: 7, updatedAt: START + 2, fields: {} };
    equal(await profileOf(shelter, pet.id), expected, "profile");
    equal(
      (await store.events.after(seq, 9)).map(({ type }) => type),
      [
        ...["photo.added", "photo.added", "pet.profile_updated", "photo.removed"],
        ...["photo.added", "pet.profile_updated", "pet.profile_updated"],
      ],
      "events",
    );
  },

  "photos are bounded in number and in bytes": async (shelter) => {
    const { store, account, commit, refusal, addPet } = shelter;
    const [one, two] = [await addPet(), await addPet()];
    equal(await refusal(add(shelter, 9)), refused("missing"), "unknown animal");
    for (let count = 0; count < MAX_PHOTOS; count++) await commit(add(shelter, one.id));
    equal(await refusal(add(shelter, one.id)), refused("limit"), "number");
    const bytes = await store.photos.bytes(account.id);
    equal(bytes, MAX_PHOTOS * 100, "bytes");
    const room = 10_000 - bytes;
    equal(await refusal(add(shelter, two.id, newPhoto(room + 1))), refused("quota"), "bytes");
    await commit(add(shelter, two.id, newPhoto(room)));
    equal(await store.photos.bytes("acc_none"), 0, "of no account");
  },

  "profile and photos stay while an animal is deleted, and are purged with it": async (shelter) => {
    const { commit, addPet, production: catalogueId } = shelter;
    const [pet, other] = [await addPet(), await addPet()];
    for (const { id } of [pet, other]) {
      await commit(set(shelter, id, { sex: "male" }), add(shelter, id));
    }
    await commit({ kind: "pet.delete", catalogueId, from: pet, at: START });
    const after = START - RESTORE_MS;
    const [back] = await commit({
      kind: "pet.restore",
      catalogueId,
      petId: pet.id,
      deletedAfter: after,
      at: START,
    });
    const profile = { petId: pet.id, version: 2, updatedAt: START + 1, fields: { sex: "male" } };
    equal(await profileOf(shelter, pet.id), profile, "restored");
    equal(await photoIds(shelter, pet.id), [1], "restored photos");
    if (typeof back !== "object" || !("categoryId" in back)) throw new BrokenContract("A pet.");
    await commit({ kind: "pet.delete", catalogueId, from: back, at: START });
    const purge = {
      kind: "purge",
      now: START,
      eventsBefore: 0,
      adoptersBefore: 0,
      limit: 10,
    } as const;
    await commit({ ...purge, deletedBefore: START });
    equal(await profileOf(shelter, pet.id), profile, "too early");
    await commit({ ...purge, deletedBefore: START + 1 });
    equal(await profileOf(shelter, pet.id), undefined, "purged");
    equal(await photoIds(shelter, pet.id), [], "purged photos");
    equal(await photoIds(shelter, other.id), [1], "photos of the other");
  },

  "photos are found by the hash of their file, in all catalogues or in one": async (shelter) => {
    const { store, commit, addPet, production: catalogueId } = shelter;
    const [pet, other] = [await addPet(), await addPet()];
    const hash = "c".repeat(64);
    await commit(add(shelter, pet.id), add(shelter, other.id, { ...newPhoto(), hash }));
    const found = await store.photos.byHash(hash);
    equal(
      found.map((photo) => [photo.catalogueId, photo.petId, photo.id, photo.hash]),
      [[catalogueId, other.id, 1, hash]],
      "in all",
    );
    equal(await store.photos.byHash(hash, catalogueId), found, "in one");
    equal(await store.photos.byHash(hash, shelter.staging), [], "in another one");
    equal(await store.photos.byHash("d".repeat(64)), [], "unknown");
  },

  "a photo of many animals is found for each status, those of deleted animals last": async (
    shelter,
  ) => {
    const { store, commit, addPet, production: catalogueId } = shelter;
    const photo = { ...newPhoto(10), hash: "e".repeat(64) };
    const petIds: number[] = [];
    for (let count = 0; count < 120; count++) {
      const pet = await addPet();
      petIds.push(pet.id);
      await commit(add(shelter, pet.id, photo));
      if (count === 0) {
        await commit({ kind: "pet.delete", catalogueId, from: pet, at: START });
      } else if (count < 110) {
        const to = { name: pet.name, categoryId: pet.categoryId, status: "sold" } as const;
        const change = { kind: "pet.update", catalogueId, from: pet, to, at: START } as const;
        await commit(change);
      }
    }
    equal(
      (await store.photos.byHash(photo.hash, catalogueId)).map(({ petId }) => petId),
      [petIds[1], petIds[110], petIds[0]],
      "one for each",
    );
  },

  "a purge removes the profiles and photos of a deleted account": async (shelter) => {
    const { store, account, commit, addPet } = shelter;
    const pet = await addPet();
    await commit(set(shelter, pet.id, { sex: "male" }), add(shelter, pet.id));
    await commit({ kind: "account.delete", accountId: account.id, at: START });
    const purge = {
      kind: "purge",
      now: START,
      eventsBefore: 0,
      adoptersBefore: 0,
      deletedBefore: 0,
      limit: 1,
    } as const;
    for (let removed: Outcome = 1; removed !== 0;) [removed] = await commit(purge);
    equal(await profileOf(shelter, pet.id), undefined, "profile");
    equal(await photoIds(shelter, pet.id), [], "photos");
    equal(await store.photos.bytes(account.id), 0, "bytes");
  },
});
