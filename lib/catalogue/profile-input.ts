import { normalLines, normalText } from "../model/text.ts";
import {
  profileLeafNames,
  profileLeaves,
  readIntake,
  type Birth,
  type BirthPrecision,
  type Profile,
  type ProfileLeaf,
} from "./model-profile.ts";
import { leavesOf, profileOf } from "./model-profile-leaves.ts";

type Input = Omit<Profile, "intakeAt" | "birth"> & {
  /** RFC 3339: an instant, or a date. */
  readonly intakeAt?: string;
  readonly birth?: Pick<Birth, "date"> & {
    /** Default: `day`. */
    readonly precision?: BirthPrecision | undefined;
  };
};

/** A profile as a caller sends it, checked but not normalized. */
export type ProfileInput = { readonly [Name in keyof Input]: Input[Name] | undefined };

type Removable<Value> = Value extends object
  ? { readonly [Name in keyof Value]?: Value[Name] | null | undefined }
  : Value;

/**
 * Some members of a profile. Undefined leaves a member as it is, and null removes it. `breed` and `goodWith` are changed
 * member by member in the same way; `birth` is replaced as a whole.
 */
export type ProfileChanges = {
  readonly [Name in keyof Input]?:
    | (Name extends "birth" ? Input[Name] : Removable<Exclude<Input[Name], undefined>>)
    | null
    | undefined;
};

/** Returns the profile with what `changes` names, normalized. */
export function changedProfile(from: Profile, changes: ProfileChanges): Profile {
  const members: Readonly<Record<string, unknown>> = { ...changes };
  const leaves: { [Name in ProfileLeaf]?: string | number | boolean | null | undefined } = {
    ...leavesOf(from),
  };
  for (const leaf of profileLeafNames) {
    const [name = leaf, inner] = leaf.split(".");
    const member = members[name];
    if (member === undefined) continue;
    const value = valueIn(member, inner);
    if (value === undefined && name !== "birth") continue;
    // The schema checked the value for the leaf.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    leaves[leaf] = normalLeaf(leaf, value as string | boolean | null | undefined);
  }
  const profile = profileOf(leaves);
  return profile.birth === undefined ? profile : { ...profile, birth: knownBirth(profile.birth) };
}

function valueIn(member: unknown, inner: string | undefined): unknown {
  if (inner === undefined || member === null) return member;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (member as Readonly<Record<string, unknown>>)[inner];
}

function normalLeaf(
  leaf: ProfileLeaf,
  value: string | boolean | null | undefined,
): string | number | boolean | null {
  if (value === undefined) return null;
  if (typeof value !== "string") return value;
  switch (profileLeaves[leaf].kind) {
    case "line":
      return normalText(value);
    case "lines":
      return normalLines(value);
    case "instant":
      return readIntake(value) ?? null;
    case "choice":
    case "flag":
    case "date":
      return value;
  }
}

/** Returns a birth without the parts of the date that are not known. */
function knownBirth({ date, precision = "day" }: Partial<Birth>): Birth {
  const known = { day: 10, month: 7, year: 4 }[precision];
  return { date: `${(date ?? "").slice(0, known)}${"-01-01".slice(known - 4)}`, precision };
}
