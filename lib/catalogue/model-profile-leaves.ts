import {
  profileLeafNames,
  type Profile,
  type ProfileLeaf,
  type StoredProfile,
} from "./model-profile.ts";

type LeafValue = string | number | boolean;

/** The leaves that a profile has. */
export type ProfileLeaves = { readonly [Name in ProfileLeaf]?: LeafValue | undefined };

const split: ReadonlyMap<ProfileLeaf, readonly [string, string?]> = new Map(
  profileLeafNames.map((leaf) => {
    const [name = leaf, member] = leaf.split(".");
    return [leaf, member === undefined ? [name] : [name, member]] as const;
  }),
);

/** Returns the leaves of a profile. */
export function leavesOf(profile: Profile): ProfileLeaves {
  const members = recordOf(profile);
  const leaves: Partial<Record<ProfileLeaf, LeafValue>> = {};
  for (const [leaf, [name, inner]] of split) {
    const member = members[name];
    const value = inner === undefined ? member : recordOf(member)[inner];
    if (isLeaf(value)) leaves[leaf] = value;
  }
  return leaves;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" ? { ...value } : {};
}

function isLeaf(value: unknown): value is LeafValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Returns the profile that has these leaves, in their order. Null and undefined leaves are absent. */
export function profileOf(leaves: {
  readonly [Name in ProfileLeaf]?: LeafValue | null | undefined;
}): Profile {
  const profile: Record<string, unknown> = {};
  for (const [leaf, [name, inner]] of split) {
    const value = leaves[leaf];
    if (value === undefined || value === null) continue;
    if (inner === undefined) profile[name] = value;
    else profile[name] = Object.assign(profile[name] ?? {}, { [inner]: value });
  }
  // Each leaf was a leaf of a profile.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return profile;
}

/** Returns the members that only staff may see. */
export function onlyStaff({ staffNotes, microchip }: Profile): Profile {
  return profileOf({ staffNotes, microchip });
}

/** Returns whether two profiles have the same leaves. */
export function sameProfile(one: Profile, other: Profile): boolean {
  const [a, b] = [leavesOf(one), leavesOf(other)];
  return profileLeafNames.every((leaf) => a[leaf] === b[leaf]);
}

/** Returns the profile of an animal that has none. */
export function emptyProfile(petId: number): StoredProfile {
  return { petId, version: 0, updatedAt: 0, fields: {} };
}
