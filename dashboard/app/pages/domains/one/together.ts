import type { Words } from "../../../../../domains/texts.ts";
import type { DomainFindingView } from "../../../../../lib/management/domain-view.ts";

/** What was seen, and by whom. */
export interface Sighting {
  readonly observed: string;
  readonly server: string | null;
}

/** Findings that say the same and are mended by the same. */
export interface ToldFinding extends Omit<Words, "observed"> {
  /** The first of them. */
  readonly finding: DomainFindingView;
  /** One at least. */
  readonly seen: readonly Sighting[];
}

/**
 * Findings in their order, each told once: where several differ in what was seen alone, they are one. What to do is
 * told once too: sentences of a fix that stand in `said`, or in a finding above, are left out of it.
 */
export function together(
  findings: readonly DomainFindingView[],
  told: (finding: DomainFindingView) => Words,
  said = "",
): readonly ToldFinding[] {
  const all = new Map<string, ToldFinding>();
  for (const finding of findings) {
    const { observed, expected, fix } = told(finding);
    const key = JSON.stringify([finding.code, finding.severity, expected, fix]);
    const known = all.get(key) ?? { finding, expected, fix, seen: [] };
    all.set(key, { ...known, seen: [...known.seen, { observed, server: finding.server }] });
  }
  const heard = new Set(sentencesOf(said));
  return [...all.values()].map((one) => {
    const sentences = sentencesOf(one.fix);
    const left = sentences.filter((sentence) => !heard.has(sentence));
    for (const sentence of left) heard.add(sentence);
    return left.length === sentences.length ? one : { ...one, fix: left.join(" ") };
  });
}

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence !== "");
}
