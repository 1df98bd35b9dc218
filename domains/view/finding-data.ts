import type { FindingData } from "../../lib/management/domain-view.ts";
import type { Finding } from "../model/finding.ts";

/** Of a list so many are shown: strangers' servers decide how long it is. */
const MAX_ITEMS = 20;
/** Texts are names, values of records and the words of a CA: what is longer tells nobody more. */
const MAX_TEXT = 1_000;

/** What a finding is made of, as plain data: its facts, of no list more than the first few, no text without end. */
export function dataOf({ facts }: Pick<Finding, "facts">): FindingData {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, bounded(fact)]));
}

function bounded(fact: unknown): unknown {
  if (Array.isArray(fact)) return fact.slice(0, MAX_ITEMS).map(bounded);
  if (typeof fact === "string") return fact.slice(0, MAX_TEXT);
  if (typeof fact !== "object" || fact === null) return fact;
  return Object.fromEntries(Object.entries(fact).map(([name, inner]) => [name, bounded(inner)]));
}
