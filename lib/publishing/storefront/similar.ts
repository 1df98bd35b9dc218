import type { Profile } from "../../catalogue/model-profile.ts";
import { companions } from "../../catalogue/model-profile.ts";

/** Orders candidates by how much they resemble an animal; equal ones keep their order. */
export function bySimilarity<Candidate>(
  to: Profile,
  candidates: readonly Candidate[],
  profileOf: (candidate: Candidate) => Profile,
): readonly Candidate[] {
  const scored = candidates.map((candidate) => ({
    candidate,
    score: similarity(to, profileOf(candidate)),
  }));
  return scored.toSorted((a, b) => b.score - a.score).map(({ candidate }) => candidate);
}

/** Years between two births that visitors still take for one age. */
const SAME_AGE = 2;

/** Returns how much two profiles resemble each other in what decides whether an animal fits a home. */
function similarity(one: Profile, other: Profile): number {
  const breed = one.breed?.text?.toLowerCase();
  const company = companions.filter(
    (who) => one.goodWith?.[who] === "yes" && other.goodWith?.[who] === "yes",
  ).length;
  const ages = [one.birth, other.birth].map((birth) => Number(birth?.date.slice(0, 4)));
  // NaN unless both are known.
  const apart = Math.abs((ages[0] ?? Number.NaN) - (ages[1] ?? Number.NaN));
  return (
    (breed !== undefined && breed === other.breed?.text?.toLowerCase() ? 3 : 0) +
    (one.size !== undefined && one.size === other.size ? 2 : 0) +
    (apart <= SAME_AGE ? 2 : 0) +
    company
  );
}
