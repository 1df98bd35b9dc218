import { DAY_MS, isoTime } from "../base/clock.ts";
import { answeredMeanwhile, problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { changedFields } from "../model/event.ts";
import { profileOutcome, type Also, type Conflict } from "../storage/change.ts";
import { changeRow, commitWith, unlessStale, type CatalogueContext } from "./commit.ts";
import { petRefusals as refusals } from "./refusals.ts";
import type { Profile, StoredPhoto, StoredProfile } from "./model-profile.ts";
import { emptyProfile, onlyStaff, sameProfile } from "./model-profile-leaves.ts";
import { changedProfile, type ProfileChanges } from "./profile-input.ts";

/** The profile of an animal with its photos. Its version is that of the profile. */
export interface ShownProfile extends StoredProfile {
  readonly kind: "profile";
  /** The animal's. */
  readonly id: number;
  readonly photos: readonly StoredPhoto[];
}

/** Reads the profile of a present animal, which may have no members. */
export async function readProfile(
  { store }: CatalogueContext,
  catalogueId: number,
  petId: number,
): Promise<Result<ShownProfile, Problem>> {
  const found = await find(store, catalogueId, petId);
  return found === undefined ? refused(refusals.missing) : done(found);
}

async function find(
  store: CatalogueContext["store"],
  catalogueId: number,
  petId: number,
): Promise<ShownProfile | undefined> {
  const [pet, [profile = emptyProfile(petId)], photos] = await Promise.all([
    store.pets.byId(catalogueId, petId),
    store.profiles.of(catalogueId, [petId]),
    store.photos.of(catalogueId, [petId]),
  ]);
  return pet === undefined ? undefined : { kind: "profile", id: petId, ...profile, photos };
}

/** A change of a profile and its conditions. */
export interface ProfileUpdate {
  readonly petId: number;
  /** The members before the change that it keeps. */
  readonly keep: "all" | "staff" | "none";
  readonly changes: ProfileChanges;
  /** Returns why the profile must not be changed. Absent: it may be. */
  readonly precondition?: ((profile: ShownProfile) => Problem | undefined) | undefined;
}

const kept: Readonly<Record<ProfileUpdate["keep"], (from: Profile) => Profile>> = {
  all: (from) => from,
  staff: onlyStaff,
  none: () => ({}),
};

/** Changes a profile. A change that changes nothing leaves the version. */
export function updateProfile(
  { store, commit, clock }: CatalogueContext,
  catalogueId: number,
  { petId, keep, changes, precondition }: ProfileUpdate,
  also: Also<ShownProfile>,
): Promise<Result<ShownProfile, Problem>> {
  return changeRow({
    read: () => find(store, catalogueId, petId),
    precondition,
    refusals,
    write: async (from) => {
      const at = clock.now();
      const to = changedProfile(kept[keep](from.fields), changes);
      const fault = faultAt(to, at);
      if (fault !== undefined) return refused(fault);
      const same = sameProfile(from.fields, to);
      const committed = await commitWith(
        commit,
        same
          ? []
          : [
              {
                kind: "profile.set",
                catalogueId,
                petId,
                from: from.version,
                to,
                changed: changedFields(from.fields, to),
                at,
              },
            ],
        same ? () => from : ([profile]) => ({ ...from, ...profileOutcome(profile) }),
        also,
      );
      return unlessStale(committed, (conflict) => problemOf(conflict, same, to));
    },
  });
}

/** Returns why an animal cannot have the profile yet: it would be from the future. A day of time zones is allowed. */
function faultAt({ birth, intakeAt }: Profile, now: number): Problem | undefined {
  const latest = isoTime(now + DAY_MS);
  if (birth !== undefined && birth.date > latest.slice(0, 10)) {
    return wrong("/birth/date", "must not be in the future");
  }
  return intakeAt !== undefined && intakeAt > now + DAY_MS
    ? wrong("/intakeAt", "must not be in the future")
    : undefined;
}

function wrong(pointer: string, rule: string): Problem {
  const message = `"${pointer.split("/").at(-1)}" ${rule}.`;
  return problem("invalid_value", message, {
    errors: [{ pointer, code: "invalid_value", message }],
  });
}

function problemOf(
  { refusal, index }: Conflict,
  same: boolean,
  { externalId, source }: Profile,
): Problem {
  if (refusal !== "exists") return refusals.missing;
  // Behind the profile, only the recorded answer can exist already.
  if (same || index > 0) return answeredMeanwhile;
  const of = source === undefined ? "" : ` of the source "${source}"`;
  return wrong("/externalId", `must be unique: another animal has "${externalId}"${of}`);
}
