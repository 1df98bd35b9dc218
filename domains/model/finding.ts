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

/** One thing that was found out about a domain, and what to do about it. Told apart by `code`. */
export type Finding = { readonly [Code in FindingCode]: FindingOf<Code> }[FindingCode];

export interface FindingOf<Code extends FindingCode> {
  readonly code: Code;
  readonly severity: Severity;
  /** What was seen, in a sentence. */
  readonly observed: string;
  /** What should be there instead, or is as it should be. */
  readonly expected: string;
  /** Exactly what to do; empty only when there is nothing to do. */
  readonly fix: string;
  /** Who said so: name servers or a resolver. Absent when it was not learned by DNS. */
  readonly server?: string;
  /** Where the documentation tells more. */
  readonly docs: string;
  /** What the texts are made of, for those who want others. */
  readonly facts: FactsOf<Code>;
}

export interface FindingOptions {
  readonly server?: string;
  /** Default: that of its code. */
  readonly severity?: Severity;
}

/** A finding with its English texts. */
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

/** What must be mended first, then what should be looked at; among those, as in `findingCodes`. */
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
