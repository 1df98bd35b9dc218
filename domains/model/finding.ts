import {
  findingCodes,
  type FindingCode,
  type Severity,
  type FactsOf,
  type Wording,
  type Words,
} from "./finding-facts.ts";
import { certificateWords } from "./findings/certificate-words.ts";
import { recordWords } from "./findings/record-words.ts";
import { serverWords } from "./findings/server-words.ts";

/** A finding about a domain, identified by `code`, with the required action. */
export type Finding = { readonly [Code in FindingCode]: FindingOf<Code> }[FindingCode];

export interface FindingOf<Code extends FindingCode> {
  readonly code: Code;
  readonly severity: Severity;
  /** What was found, in a sentence. */
  readonly observed: string;
  /** What should be there. */
  readonly expected: string;
  /** What to do. Empty if there is nothing to do. */
  readonly fix: string;
  /** The name servers or resolver that reported it. Absent: not learned from the DNS. */
  readonly server?: string;
  /** The section of the documentation. */
  readonly docs: string;
  /** The values in the texts, for other languages. */
  readonly facts: FactsOf<Code>;
}

export interface FindingOptions {
  readonly server?: string;
  /** Default: the severity of the code. */
  readonly severity?: Severity;
}

/** Creates a finding with its English texts. */
export function finding<Code extends FindingCode>(
  code: Code,
  facts: FactsOf<Code>,
  { server, severity = findingCodes[code].severity }: FindingOptions = {},
): Extract<Finding, { readonly code: Code }> {
  const made: unknown = {
    code,
    severity,
    ...wordsOf(code, facts),
    ...(server !== undefined && { server }),
    docs: `docs/findings.md#${code}`,
    facts,
  };
  // One finding per code; TypeScript does not distribute a generic type over the union.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return made as Extract<Finding, { readonly code: Code }>;
}

/** Sorts blocking findings first, then warnings; within each by the order of `findingCodes`. */
export function inOrder<Ranked extends { readonly severity: Severity; readonly code: string }>(
  findings: readonly Ranked[],
): readonly Ranked[] {
  const rank = ({ severity, code }: Ranked): number =>
    SEVERITIES.indexOf(severity) * CODES.length + CODES.indexOf(code);
  return findings.toSorted((a, b) => rank(a) - rank(b));
}

const SEVERITIES: readonly Severity[] = ["blocking", "warning", "ok"];
const CODES: readonly string[] = Object.keys(findingCodes);

/** The English texts of all findings. */
export const findingWords: Wording<FindingCode> = {
  ...recordWords,
  ...serverWords,
  ...certificateWords,
};

/** The English texts of a finding. */
function wordsOf<Code extends FindingCode>(code: Code, facts: FactsOf<Code>): Words {
  return findingWords[code](facts);
}
