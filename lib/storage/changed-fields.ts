import { petFieldsOf, type NewPet } from "../catalogue/model.ts";
import { changedFields } from "../model/event.ts";
import type { ChangeOf } from "./change.ts";

// Which fields a change changes: the audit log has their names, and few of their values.

/** Returns the names of the fields of an animal that a change changes. */
export function petChanges(from: NewPet, to: NewPet): readonly string[] {
  return changedFields(petFieldsOf(from), petFieldsOf(to));
}

/** Returns the names of the fields of an order that a change changes. The adopter counts as changed when it is saved. */
export function orderChanges({
  from: { status, returnedAt },
  to,
  adopter,
}: ChangeOf<"order.update">): readonly string[] {
  return [
    ...changedFields({ status, returnedAt }, { status: to.status, returnedAt: to.returnedAt }),
    ...(adopter === undefined ? [] : ["adopter"]),
  ];
}

/** Returns the names of the fields of a photo that a change sets, below the profile. */
export function photoChanges({ alt, focus }: ChangeOf<"photo.change">): readonly string[] {
  return [
    ...(alt === undefined ? [] : ["photos.alt"]),
    ...(focus === undefined ? [] : ["photos.focus"]),
  ];
}

/** What a change of an account's plan changes. */
export const PLAN: readonly string[] = ["plan", "limits"];
/** What renaming something changes. */
export const NAME: readonly string[] = ["name"];
/** What ordering the photos of an animal changes. */
export const PHOTOS: readonly string[] = ["photos"];
