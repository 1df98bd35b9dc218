import type { FindingCode } from "./finding-codes.ts";
import type { FactsOf } from "./finding-facts.ts";
import { certificateWords } from "./finding-words-certificate.ts";
import { recordWords } from "./finding-words-records.ts";
import { serverWords } from "./finding-words-servers.ts";
import type { Wording, Words } from "./finding-wording.ts";

const english: Wording<FindingCode> = { ...recordWords, ...serverWords, ...certificateWords };

/** The English texts of a finding. */
export function wordsOf<Code extends FindingCode>(code: Code, facts: FactsOf<Code>): Words {
  return english[code](facts);
}
