import type { FindingCode } from "../finding-codes.ts";
import type { FactsOf } from "../finding-facts.ts";

/** The texts of a finding, for people who have never seen a zone file. */
export interface Words {
  readonly observed: string;
  readonly expected: string;
  readonly fix: string;
}

/** How the facts of some codes are put into words. */
export type Wording<Codes extends FindingCode> = {
  readonly [Code in Codes]: (facts: FactsOf<Code>) => Words;
};
