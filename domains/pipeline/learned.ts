import type { ChallengeKind, Domain } from "../model/domain.ts";

/** Which way of proving works where this process runs, as far as it has seen. */
export interface Learned {
  /** What is tried first for a name that has not told yet what works for it, and else what it told. */
  preferredFor(domain: Domain): ChallengeKind;
  worked(kind: ChallengeKind): void;
}

/** Knows nothing at first. */
export function createLearned(): Learned {
  let last: ChallengeKind | undefined;
  return {
    preferredFor: ({ certificate, issuance: { challenge, failures } }) =>
      certificate === undefined && failures === 0 ? (last ?? challenge) : challenge,
    worked: (kind) => {
      last = kind;
    },
  };
}
