import type { FindingCode } from "../finding-codes.ts";
import type { FactsOf } from "../finding-facts.ts";
import { certificateWords } from "./certificate-words.ts";
import { recordWords } from "./record-words.ts";
import { serverWords } from "./server-words.ts";
import type { Wording, Words } from "./wording.ts";

/** The English texts of all findings. */
export const findingWords: Wording<FindingCode> = {
  ...recordWords,
  ...serverWords,
  ...certificateWords,
};

/** The English texts of a finding. */
export function wordsOf<Code extends FindingCode>(code: Code, facts: FactsOf<Code>): Words {
  return findingWords[code](facts);
}
