import { isoTime } from "../base/clock.ts";
import { DATE_SINCE_1970, TIME_OF_DAY } from "../base/instant-pattern.ts";
import { boolean, named, nullable, object, oneOf, string, type Schema } from "../base/schema.ts";
import {
  declared,
  fields,
  instant,
  list,
  text,
  whole,
  type Named,
  type Shape,
} from "../base/shape.ts";
import { dateSchema } from "../model/date-schema.ts";
import { linesSchema, nameSchema } from "../model/name-schema.ts";
import { exampleOf } from "../base/row-schemas.ts";
import {
  MAX_PHOTOS,
  profileLeaves,
  profileLeafNames,
  publicProfile,
  readIntake,
  type LeafRule,
  type PhotoFocus,
  type Profile,
  type ProfileLeaf,
  type StoredPhoto,
} from "./model-profile.ts";
import type { ProfileChanges, ProfileInput } from "./profile-input.ts";
import { petShown, type Pet } from "./model.ts";
import { photoPath, type PhotoHost } from "./photo-address.ts";
import { PetSchema, PetsSchema } from "./schema.ts";

/** The documentation of each leaf. */
const words: Readonly<
  Record<ProfileLeaf, { readonly description: string; readonly examples?: readonly unknown[] }>
> = {
  sex: { description: "The animal's sex." },
  neutered: { description: "Whether the animal is neutered.", examples: [true] },
  "birth.date": {
    description: "The date of birth. Parts beyond the precision become 01.",
    examples: ["2024-03-01"],
  },
  "birth.precision": { description: "Which part of the date is known. Default: `day`." },
  "breed.text": { description: "The breed.", examples: ["Border Collie"] },
  "breed.mixed": { description: "Whether it is a mix of breeds.", examples: [true] },
  colour: { description: "The colour.", examples: ["black and white"] },
  size: { description: "The animal's size." },
  "goodWith.children": { description: "Whether the animal gets on with children." },
  "goodWith.dogs": { description: "Whether the animal gets on with dogs." },
  "goodWith.cats": { description: "Whether the animal gets on with cats." },
  specialNeeds: {
    description: "What the animal needs in particular.",
    examples: ["Eye drops twice a day"],
  },
  fee: { description: "The adoption fee, as text.", examples: ["€ 250"] },
  text: { description: "The animal's story, as Markdown.", examples: ["Rex loves *long* walks."] },
  staffNotes: {
    description: "Notes for staff. They appear in no public output.",
    examples: ["Shy at the vet"],
  },
  microchip: {
    description: "The microchip's number. It appears in no public output.",
    examples: ["276098106123456"],
  },
  externalId: {
    description:
      "The animal's number in the system that it comes from. Unique in the catalogue, together with `source`.",
    examples: ["A4711"],
  },
  source: { description: "The system that the animal comes from.", examples: ["asm3"] },
  intakeAt: {
    description:
      "When the shelter took the animal in: an instant, or a date, which means its beginning in UTC.",
    examples: ["2026-11-20T09:30:00Z"],
  },
};

const described: Readonly<Record<string, string>> = {
  birth: "When the animal was born. A change replaces it as a whole.",
  breed: "The breed. It has at least one member.",
  goodWith: "Whom the animal gets on with. Absent members are not known.",
};

/** Accepts the values of one leaf, as a caller sends them. */
export function leafSchema(leaf: ProfileLeaf): Schema<unknown> {
  const rule: LeafRule = profileLeaves[leaf];
  const more = words[leaf];
  switch (rule.kind) {
    case "choice":
      return oneOf(rule.values, more);
    case "flag":
      return boolean(more);
    case "date":
      return dateSchema(more);
    case "line":
      return nameSchema(rule.maximum, more);
    case "lines":
      return linesSchema(rule.maxBytes, more);
    case "instant":
      return string(
        (value) =>
          readIntake(value) === undefined
            ? "must be a date such as 2026-11-20, or an instant such as 2026-11-20T09:30:00Z, from 1970 on"
            : undefined,
        { pattern: `^${DATE_SINCE_1970}(?:${TIME_OF_DAY})?$`, ...more },
      );
  }
}

type Audience = LeafRule["audience"];
type Make = (leaf: ProfileLeaf) => Schema<unknown>;

/** Returns the leaves that the audience may see, as a list for each member. */
function membersFor(audience: Audience): ReadonlyMap<string, readonly ProfileLeaf[]> {
  const members = new Map<string, ProfileLeaf[]>();
  for (const leaf of profileLeafNames) {
    if (audience === "public" && profileLeaves[leaf].audience === "staff") continue;
    const [name = leaf] = leaf.split(".");
    members.set(name, [...(members.get(name) ?? []), leaf]);
  }
  return members;
}

/** Makes the schemas of the members from those of the leaves. `removable` wraps what may be null. */
function memberSchemas(
  audience: Audience,
  make: Make,
  removable: (schema: Schema<unknown>) => Schema<unknown> = (schema) => schema,
): Readonly<Record<string, Schema<unknown>>> {
  const members: Record<string, Schema<unknown>> = {};
  for (const [name, leaves] of membersFor(audience)) {
    const [only] = leaves;
    if (only === name) {
      members[name] = removable(make(only));
      continue;
    }
    const inner = (wrap: typeof removable, wanted: (leaf: ProfileLeaf) => boolean) =>
      Object.fromEntries(
        leaves.filter(wanted).map((leaf) => [leaf.slice(name.length + 1), wrap(make(leaf))]),
      );
    const isDate = (leaf: ProfileLeaf): boolean => leaf === "birth.date";
    const wrap = name === "birth" ? (schema: Schema<unknown>) => schema : removable;
    const required = inner(wrap, isDate);
    const optional = inner(wrap, (leaf) => !isDate(leaf));
    members[name] = removable(object(required, optional, { description: described[name] }));
  }
  return members;
}

// The members and the types follow from the leaves.
/* oxlint-disable typescript/no-unsafe-type-assertion */
// @__NO_SIDE_EFFECTS__
const input = (name: string, audience: Audience) =>
  named(name, object({}, memberSchemas(audience, leafSchema)) as unknown as Schema<ProfileInput>);
// @__NO_SIDE_EFFECTS__
const changes = (name: string, audience: Audience) =>
  named(
    name,
    object({}, memberSchemas(audience, leafSchema, nullable)) as unknown as Schema<ProfileChanges>,
  );
/* oxlint-enable typescript/no-unsafe-type-assertion */

/** The body of `replacePetProfile`. */
export const ProfileInputSchema: Named<Schema<ProfileInput>> = input("ProfileInput", "public");
/** The body of `updatePetProfile`. */
export const ProfilePatchSchema: Named<Schema<ProfileChanges>> = changes("ProfilePatch", "public");
/** A profile as staff send it. */
export const StaffProfileInputSchema: Named<Schema<ProfileInput>> = input(
  "StaffProfileInput",
  "staff",
);
/** A change of a profile as staff send it. */
export const StaffProfilePatchSchema: Named<Schema<ProfileChanges>> = changes(
  "StaffProfilePatch",
  "staff",
);

/** A picture of a photo, as the APIs send it. `width` and `height` are in pixels. */
export interface PhotoSizeShown {
  readonly width: number;
  readonly height: number;
  readonly type: string;
  /** An absolute address. */
  readonly url: string;
}

/** A photo as the APIs send it. `width` and `height` are those of its largest picture, in pixels. */
export interface PhotoShown {
  readonly id: number;
  readonly alt?: string;
  readonly focus?: PhotoFocus;
  readonly width: number;
  readonly height: number;
  readonly sizes: readonly PhotoSizeShown[];
}

const pixels = whole({ minimum: 1 });
const percent = whole({ minimum: 0, maximum: 100 });

export const photoShape: Shape<PhotoShown> = fields(
  {
    id: whole({ minimum: 1 }),
    width: pixels,
    height: pixels,
    sizes: list(
      fields({
        width: pixels,
        height: pixels,
        type: text("The media type.", { examples: ["image/webp"] }),
        url: text("The address of the picture, which never changes its contents.", {
          format: "uri",
        }),
      }),
      {
        description:
          "The photo in several sizes: the largest first, then the smaller ones from the narrowest, then a JPEG.",
      },
    ),
  },
  {
    alt: text("What the photo shows, for people who do not see it."),
    focus: fields(
      { x: percent, y: percent },
      {},
      {
        description:
          "The point to keep visible when the photo is cropped, in percent of width and height.",
      },
    ),
  },
);

/** A profile as the public API sends it. */
export type ProfileShown = Omit<Profile, "staffNotes" | "microchip" | "intakeAt"> & {
  /** RFC 3339. */
  readonly intakeAt?: string;
  readonly photos?: readonly PhotoShown[];
};

/** A profile as the management API sends it. */
export type StaffProfileShown = Profile & { readonly photos?: readonly PhotoShown[] };

// @__NO_SIDE_EFFECTS__
function shown<Value>(name: string, audience: Audience): Named<Shape<Value>> {
  const leaf: Make = (one) => {
    const { examples, description } = words[one];
    if (profileLeaves[one].kind === "instant")
      return { ...leafSchema(one), json: instant(description).json };
    const { kind } = profileLeaves[one];
    return kind === "line" || kind === "lines"
      ? { ...leafSchema(one), json: { ...text(description).json, ...(examples && { examples }) } }
      : leafSchema(one);
  };
  const photos = list(photoShape, {
    maxItems: MAX_PHOTOS,
    description: "The photos in their order. Absent: the animal has none.",
  });
  return {
    name,
    ...declared<Value>(fields({}, { ...memberSchemas(audience, leaf), photos }).json),
  };
}

/** A profile as the public API sends it: a member that is not known is absent. */
export const ProfileSchema: Named<Shape<ProfileShown>> = shown("Profile", "public");

/** A profile as the management API sends it. */
export const StaffProfileSchema: Named<Shape<StaffProfileShown>> = shown("StaffProfile", "staff");

/** What a profile is shown from. */
export interface ProfileRow {
  readonly fields: Profile;
  readonly photos: readonly StoredPhoto[];
}

/** Returns the photos as the APIs send them. `base` is the address of the API that was called. */
function photosShown(
  photos: readonly StoredPhoto[],
  base: string,
): { photos?: readonly PhotoShown[] } {
  return photos.length === 0 ? {} : { photos: photos.map((photo) => photoShown(photo, base)) };
}

/** Returns a photo as the APIs send it. `base` is the address of the API that was called. */
export function photoShown(photo: StoredPhoto, base: string): PhotoShown {
  const { id, alt, focus, width, height, sizes } = photo;
  return {
    id,
    ...(alt === undefined ? {} : { alt }),
    ...(focus === undefined ? {} : { focus }),
    width,
    height,
    sizes: sizes.map((size) => ({
      width: size.width,
      height: size.height,
      type: size.type,
      url: base + photoPath(photo, size),
    })),
  };
}

/** Returns a profile as the public API sends it, without what only staff may see. */
export function profileShown(
  { fields: profile, photos }: ProfileRow,
  { base }: { readonly base: string },
): ProfileShown {
  const { intakeAt, ...rest } = publicProfile(profile);
  const taken = intakeAt === undefined ? {} : { intakeAt: isoTime(intakeAt) };
  return { ...rest, ...taken, ...photosShown(photos, base) };
}

/** Returns a profile as the management API sends it: to viewers without what only staff may see. */
export function staffProfileShown(
  { fields: profile, photos }: ProfileRow,
  { base, staff }: { readonly base: string; readonly staff: boolean },
): StaffProfileShown {
  return { ...(staff ? profile : publicProfile(profile)), ...photosShown(photos, base) };
}

/** The example of a profile in the documentation. */
// @__NO_SIDE_EFFECTS__
function exampleFor(audience: Audience): Record<string, unknown> {
  const example: Record<string, unknown> = {};
  for (const [name, leaves] of membersFor(audience)) {
    const [only] = leaves;
    example[name] =
      only === name
        ? exampleOf(leafSchema(only))
        : Object.fromEntries(
            leaves.map((leaf) => [leaf.slice(name.length + 1), exampleOf(leafSchema(leaf))]),
          );
  }
  return { ...example, intakeAt: "2026-11-20T09:30:00.000Z" };
}

export const profileExample: Readonly<Record<string, unknown>> = exampleFor("public");
export const staffProfileExample: Readonly<Record<string, unknown>> = exampleFor("staff");

interface WithProfile {
  readonly profile?: ProfileRow;
}

/** An animal of a list, with its profile if `include=profile` asked for it. */
export type PetWithProfile = Pet & { readonly profile?: ProfileShown };

/** An animal of a list of the management API, with its profile if `include=profile` asked for it. */
export type StaffPetWithProfile = Pet & { readonly profile?: StaffProfileShown };

/** Returns an animal as the public API sends it, with its profile if it was asked for. */
export function petWithProfile(
  pet: Pet & WithProfile,
  { base, photoHost }: { readonly base: string; readonly photoHost?: PhotoHost | undefined },
): PetWithProfile {
  const { profile } = pet;
  if (profile === undefined) return petShown(pet);
  const to = photoHost?.shows(pet) === true ? photoHost : { base };
  return { ...petShown(pet), profile: profileShown(profile, to) };
}

/** Returns an animal as the management API sends it, with its profile if it was asked for. */
export function staffPetWithProfile(
  pet: Pet & WithProfile,
  to: { readonly base: string; readonly staff: boolean },
): StaffPetWithProfile {
  const { profile } = pet;
  return profile === undefined
    ? petShown(pet)
    : { ...petShown(pet), profile: staffProfileShown(profile, to) };
}

// @__NO_SIDE_EFFECTS__
function withProfileShape(name: string, profile: Shape<unknown>): Named<Shape<Pet>> {
  const { properties, ...pet } = PetSchema.json;
  return {
    name,
    ...declared<Pet>({ ...pet, properties: { ...Object(properties), profile: profile.json } }),
  };
}

/** An animal with its profile, as the public API sends it. */
export const PetWithProfileSchema = withProfileShape("PetWithProfile", ProfileSchema);
const StaffPetWithProfileSchema = withProfileShape("StaffPetWithProfile", StaffProfileSchema);

/** A list of animals, with `include=profile` of animals with their profiles. */
// @__NO_SIDE_EFFECTS__
function petListShape<Value extends Pet>(
  name: string,
  withProfile: Shape<unknown>,
): Named<Shape<readonly Value[]>> {
  const many = { type: "array", items: withProfile.json };
  return { name, ...declared<readonly Value[]>({ anyOf: [PetsSchema.json, many] }) };
}

export const petListSchema: Named<Shape<readonly PetWithProfile[]>> = petListShape(
  "PetList",
  PetWithProfileSchema,
);
export const staffPetListSchema: Named<Shape<readonly StaffPetWithProfile[]>> = petListShape(
  "StaffPetList",
  StaffPetWithProfileSchema,
);
