import type { ChallengeKind } from "./domain.ts";

/** The parts of a renewal, in their order. */
export const rehearsedParts = [
  "dns",
  "account",
  "order",
  "challenge",
  "validation",
  "certificate",
] as const;

export type RehearsedPart = (typeof rehearsedParts)[number];

/** The result of a rehearsal. */
export interface Rehearsal {
  /** The parts that succeeded. */
  readonly passed: readonly RehearsedPart[];
  /** Why the next part failed; undefined: all succeeded. */
  readonly failure?: {
    readonly part: RehearsedPart;
    readonly code: string;
    readonly message: string;
  };
  /** The challenge that the CA validated. */
  readonly challenge?: ChallengeKind;
  /** When the certificate, which is thrown away, would expire. */
  readonly notAfter?: number;
}
