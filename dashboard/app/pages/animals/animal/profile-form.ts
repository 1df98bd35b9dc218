import type { EveryField } from "../../../../../lib/base/fields.ts";
import {
  type NewPet,
  type Pet,
  petChanges,
  petFields,
  type PetFields,
} from "../../../../../lib/catalogue/model.ts";
import {
  type BirthPrecision,
  birthPrecisions,
  type Profile,
  type ProfileLeaf,
  profileLeafNames,
  profileLeaves,
} from "../../../../../lib/catalogue/model-profile.ts";
import { leavesOf } from "../../../../../lib/catalogue/model-profile-leaves.ts";
import type { ProfileChanges } from "../../../../../lib/catalogue/profile-input.ts";
import { isoTime } from "../../../../../lib/base/clock.ts";
import { trimText } from "../../../../../lib/model/text.ts";

/** The fields of a pet that the form has. Its status has a control of its own. */
export type PetField = Exclude<keyof NewPet, "status">;
const ownFields: readonly PetField[] = petFields.filter((field) => field !== "status");

function isOwn(field: FormField): field is PetField {
  return ownFields.some((own) => own === field);
}

/** A field of the animal's page: one of the pet, or a leaf of its profile. */
export type FormField = PetField | ProfileLeaf;

/** What the user entered, as far as they did: each field as a text, empty for none. */
export type Edits = Readonly<Partial<Record<FormField, string>>>;

/** What is saved. */
export interface Saved {
  readonly pet: Pet;
  readonly profile: Profile;
}

/** How much of a date each precision shows. */
const KNOWN: Readonly<Record<BirthPrecision, number>> = { day: 10, month: 7, year: 4 };

/** Returns the text of a field as it is saved. */
export function savedText({ pet, profile }: Saved, field: FormField): string {
  if (isOwn(field)) {
    const own: string | number | undefined = pet[field];
    return own === undefined ? "" : String(own);
  }
  const value = leavesOf(profile)[field];
  if (value === undefined) return "";
  if (field === "birth.date") {
    return String(value).slice(0, KNOWN[profile.birth?.precision ?? "day"]);
  }
  if (typeof value !== "number") return String(value);
  return isoTime(value).slice(0, 10);
}

/** Returns the text that a field shows. */
export function shownText(saved: Saved, edits: Edits, field: FormField): string {
  return edits[field] ?? savedText(saved, field);
}

/** Returns the fields whose texts differ from what is saved. */
export function changedFields(saved: Saved, edits: Edits): readonly FormField[] {
  return [...ownFields, ...profileLeafNames].filter((field) => {
    const edited = edits[field];
    // A precision says nothing without a date.
    if (field === "birth.precision" && shownText(saved, edits, "birth.date") === "") return false;
    return edited !== undefined && trimText(edited) !== savedText(saved, field);
  });
}

/** Returns the changes of the pet's own fields; undefined if there are none. */
export function petChangesOf(saved: Saved, edits: Edits): PetFields | undefined {
  const fields: EveryField<NewPet> = {
    name: trimText(shownText(saved, edits, "name")),
    categoryId: Number(shownText(saved, edits, "categoryId")),
    status: saved.pet.status,
  };
  const changes = petChanges(saved.pet, fields);
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** Returns the changes of the profile; undefined if there are none. Only what the user changed: others may change the rest. */
export function profileChangesOf(saved: Saved, edits: Edits): ProfileChanges | undefined {
  const changes: Record<string, unknown> = {};
  for (const field of changedFields(saved, edits)) {
    if (isOwn(field)) continue;
    const [name = field, inner] = field.split(".");
    if (name === "birth") changes[name] = birthOf(saved, edits);
    else {
      const value = valueOf(field, trimText(shownText(saved, edits, field)));
      changes[name] = inner === undefined ? value : { ...objectIn(changes[name]), [inner]: value };
    }
  }
  return Object.keys(changes).length === 0 ? undefined : changes;
}

function objectIn(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function valueOf(leaf: ProfileLeaf, text: string): string | boolean | null {
  if (text === "") return null;
  return profileLeaves[leaf].kind === "flag" ? text === "true" : text;
}

function birthOf(saved: Saved, edits: Edits): ProfileChanges["birth"] {
  const date = trimText(shownText(saved, edits, "birth.date"));
  return date === ""
    ? null
    : { date: wholeDate(date), precision: precisionOf(shownText(saved, edits, "birth.precision")) };
}

/** Reads a precision; default: day. */
export function precisionOf(text: string): BirthPrecision {
  return birthPrecisions.find((one) => one === text) ?? "day";
}

/** Completes `2024` or `2024-03` to the first day; leaves anything else for the service to judge. */
function wholeDate(text: string): string {
  if (/^\d{4}$/.test(text)) return `${text}-01-01`;
  return /^\d{4}-\d\d$/.test(text) ? `${text}-01` : text;
}

/** Returns the text of a date of birth in another precision. */
export function inPrecision(date: string, precision: BirthPrecision): string {
  return date === "" ? "" : wholeDate(date).slice(0, KNOWN[precision]);
}

/** Returns the age on a day: in months below two years, otherwise in full years. Undefined for no date or one to come. */
export function ageOf(
  date: string,
  now: number,
): { readonly unit: "month" | "year"; readonly count: number } | undefined {
  const [year, month = 1, day = 1] = wholeDate(date).split("-").map(Number);
  if (year === undefined || !/^\d{4}/.test(date)) return undefined;
  const today = isoTime(now).slice(0, 10).split("-").map(Number);
  const [y = 0, m = 0, d = 0] = today;
  const months = (y - year) * 12 + (m - month) - (d < day ? 1 : 0);
  if (months < 0) return undefined;
  return months < 24
    ? { unit: "month", count: months }
    : { unit: "year", count: Math.floor(months / 12) };
}

/** Returns the field that a fault of the service is about: `/birth/date` is `birth.date`. */
export function fieldAt(pointer: string): string {
  return pointer.slice(1).replaceAll("/", ".");
}
