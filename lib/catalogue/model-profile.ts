import { readTime } from "../base/clock.ts";

/** The sexes that a profile can say. */
export const sexes = ["female", "male", "unknown"] as const;
/** `unknown` says that the shelter could not tell; an absent member says nothing. */
export type Sex = (typeof sexes)[number];

/** The sizes of animals, from the smallest. */
export const animalSizes = ["small", "medium", "large", "extra_large"] as const;
/** The size of an animal, compared with others of its kind. */
export type AnimalSize = (typeof animalSizes)[number];

/** Which part of a birth date is known. */
export const birthPrecisions = ["day", "month", "year"] as const;
/** Which part of a birth date is known. */
export type BirthPrecision = (typeof birthPrecisions)[number];

/** The answers to whether an animal gets on with children, dogs or cats. */
export const goodWithAnswers = ["yes", "no", "unknown"] as const;
/** Whether an animal gets on with others. */
export type GoodWithAnswer = (typeof goodWithAnswers)[number];

/** When an animal was born. */
export interface Birth {
  /** `2024-03-01`. Parts beyond the precision are 01. */
  readonly date: string;
  readonly precision: BirthPrecision;
}

/** An animal's breed. It has at least one of the members. */
export interface Breed {
  readonly text?: string;
  /** Whether it is a mix of breeds. */
  readonly mixed?: boolean;
}

/** Whom an animal gets on with. It has at least one of the members. */
export interface GoodWith {
  readonly children?: GoodWithAnswer;
  readonly dogs?: GoodWithAnswer;
  readonly cats?: GoodWithAnswer;
}

/** What a shelter says about an animal besides its fields as a pet. A member that is not known is absent: never null or empty. */
export interface Profile {
  readonly sex?: Sex;
  readonly neutered?: boolean;
  readonly birth?: Birth;
  readonly breed?: Breed;
  readonly colour?: string;
  readonly size?: AnimalSize;
  readonly goodWith?: GoodWith;
  readonly specialNeeds?: string;
  /** Free text, such as "€ 250". */
  readonly fee?: string;
  /** Markdown. */
  readonly text?: string;
  /** Only for staff: appears in no public output. */
  readonly staffNotes?: string;
  /** Only for staff: appears in no public output. */
  readonly microchip?: string;
  /** The animal's number in the system that it comes from. Unique in the catalogue together with `source`. */
  readonly externalId?: string;
  /** The system that the animal comes from, such as "asm3". */
  readonly source?: string;
  /** When the shelter took the animal in, in milliseconds. */
  readonly intakeAt?: number;
}

type LeafOf<Row> = {
  [Name in keyof Row & string]-?: Exclude<Row[Name], undefined> extends object
    ? `${Name}.${keyof Exclude<Row[Name], undefined> & string}`
    : Name;
}[keyof Row & string];

/** A value of a profile that has no members: `sex`, `birth.date`. */
export type ProfileLeaf = LeafOf<Profile>;

/** The values that a leaf may have. Texts have at least one visible character; `maximum` counts code points, `maxBytes` UTF-8. */
export type LeafKind =
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "flag" | "date" | "instant" }
  | { readonly kind: "line"; readonly maximum: number }
  | { readonly kind: "lines"; readonly maxBytes: number };

/** Everything that is declared about a leaf. */
export type LeafRule = LeafKind & {
  /** `staff`: appears in no public output. */
  readonly audience: "public" | "staff";
};

const open = <Kind extends LeafKind>(kind: Kind): Kind & { readonly audience: "public" } => ({
  ...kind,
  audience: "public",
});
const choice = (values: readonly string[]) => open({ kind: "choice", values });
const line = (maximum: number) => open({ kind: "line", maximum });

/** The longest Markdown text and the longest notes, in bytes of UTF-8. */
export const MAX_PROFILE_TEXT: number = 32 * 1024;

const WORDS = 120;

/** The leaves of a profile, in the order in which they are sent, stored and exported. */
export const profileLeaves = {
  sex: choice(sexes),
  neutered: open({ kind: "flag" }),
  "birth.date": open({ kind: "date" }),
  "birth.precision": choice(birthPrecisions),
  "breed.text": line(WORDS),
  "breed.mixed": open({ kind: "flag" }),
  colour: line(WORDS),
  size: choice(animalSizes),
  "goodWith.children": choice(goodWithAnswers),
  "goodWith.dogs": choice(goodWithAnswers),
  "goodWith.cats": choice(goodWithAnswers),
  specialNeeds: open({ kind: "lines", maxBytes: 2 * 1024 }),
  fee: line(WORDS),
  text: open({ kind: "lines", maxBytes: MAX_PROFILE_TEXT }),
  staffNotes: { kind: "lines", maxBytes: MAX_PROFILE_TEXT, audience: "staff" },
  microchip: { kind: "line", maximum: 40, audience: "staff" },
  externalId: line(WORDS),
  source: line(WORDS),
  intakeAt: open({ kind: "instant" }),
} as const satisfies Readonly<Record<ProfileLeaf, LeafRule>>;

/** The names of the leaves, in their order. */
// The keys of a literal that the compiler has compared with `Profile`.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const profileLeafNames = Object.keys(profileLeaves) as readonly ProfileLeaf[];

/** Returns the instant that a caller sends: RFC 3339, or a date, which means its beginning in UTC. */
export function readIntake(text: string): number | undefined {
  return readTime(text) ?? readTime(`${text}T00:00:00Z`);
}

/** Returns a profile without what only staff may see. */
export function publicProfile({
  staffNotes: _notes,
  microchip: _chip,
  ...shown
}: Profile): Profile {
  return shown;
}

/**
 * The profile of one animal. Its version is its own: a change of the profile leaves the animal's version. Instants are
 * in milliseconds since the Unix epoch.
 */
export interface StoredProfile {
  readonly petId: number;
  /** Starts at 1 and increases by one with each change of the profile or its photos; 0 if the animal has neither. */
  readonly version: number;
  readonly updatedAt: number;
  readonly fields: Profile;
}

/** Whom an animal can get on with. */
export const companions = [
  "children",
  "dogs",
  "cats",
] as const satisfies readonly (keyof GoodWith)[];

/** Selects animals by their profiles. An animal that lacks what a member compares is not selected. */
export interface ProfileFilter {
  readonly sex?: Sex | undefined;
  readonly size?: AnimalSize | undefined;
  /** Gets on with all of them: `yes`. */
  readonly goodWith?: readonly (typeof companions)[number][] | undefined;
  /** Born on this day or later: `2024-03-01`. */
  readonly bornFrom?: string | undefined;
  /** Born on this day or earlier. */
  readonly bornUntil?: string | undefined;
  /** A part of the name or the breed, ignoring case and accents. */
  readonly words?: string | undefined;
}

/** Returns the dates of birth of animals that have, on the day `today`, at least and at most so many full years. */
export function bornFor(
  { least, most }: { readonly least: number | undefined; readonly most: number | undefined },
  today: string,
): Pick<ProfileFilter, "bornFrom" | "bornUntil"> {
  return {
    // An animal of at most 2 years has its third birthday after today: after that day, and before the next.
    bornFrom: most === undefined ? undefined : `${yearsBefore(today, most + 1)}~`,
    bornUntil: least === undefined ? undefined : yearsBefore(today, least),
  };
}

/** Returns the day so many years before. It may be a 29 February that the calendar lacks: it is only compared. */
function yearsBefore(day: string, years: number): string {
  return `${String(Number(day.slice(0, 4)) - years).padStart(4, "0")}${day.slice(4)}`;
}

/** Which values some profiles of a catalogue have, for the filters that are worth offering. */
export interface ProfileValues {
  readonly sexes: readonly Sex[];
  readonly sizes: readonly AnimalSize[];
  /** Whom at least one animal gets on with. */
  readonly goodWith: readonly (typeof companions)[number][];
  /** Whether at least one has a date of birth. */
  readonly births: boolean;
}

/** Returns which values profiles have. */
export function profileValues(profiles: readonly Profile[]): ProfileValues {
  return {
    sexes: sexes.filter((sex) => profiles.some((one) => one.sex === sex)),
    sizes: animalSizes.filter((size) => profiles.some((one) => one.size === size)),
    goodWith: companions.filter((who) => profiles.some((one) => one.goodWith?.[who] === "yes")),
    births: profiles.some(({ birth }) => birth !== undefined),
  };
}

/** The most photos of an animal. */
export const MAX_PHOTOS = 12;

/** A form of a photo: a whole picture in the file of the photo. `width` and `height` are in pixels. */
export interface PhotoSize {
  readonly width: number;
  readonly height: number;
  readonly type: "image/webp" | "image/jpeg";
  /** The offset of its first byte in the file. */
  readonly start: number;
  readonly bytes: number;
}

/**
 * The point of a photo that stays visible where it is cropped: `x` in percent of its width and `y` of its height, integers from
 * 0 to 100.
 */
export interface PhotoFocus {
  readonly x: number;
  readonly y: number;
}

/** The photo of an animal without what the store assigns. */
export interface NewPhoto {
  /** 1 to 500 code points. */
  readonly alt?: string;
  readonly focus?: PhotoFocus;
  /** The SHA-256 of the photo's file, which has all sizes one after the other, as hexadecimal digits: the name of its blob. */
  readonly hash: string;
  /** The width of the largest size, in pixels. */
  readonly width: number;
  /** Its height, in pixels. */
  readonly height: number;
  /** The largest first, then the smaller ones for pages, the narrowest first, then a JPEG for feeds. */
  readonly sizes: readonly PhotoSize[];
  /** The size of the file. */
  readonly bytes: number;
}

/** A photo as it is stored. Instants are in milliseconds since the Unix epoch. */
export interface StoredPhoto extends NewPhoto {
  /** Unique among the photos of the animal, and never reused. */
  readonly id: number;
  readonly petId: number;
  /** Orders the photos of an animal; numbers may be missing. */
  readonly position: number;
  readonly createdAt: number;
}
