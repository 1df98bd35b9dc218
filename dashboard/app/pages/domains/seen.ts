import type { FactsOf, Words } from "../../../../domains/texts.ts";
import type {
  DomainFindingView,
  DomainRecordView,
  DomainView,
} from "../../../../lib/management/domain-view.ts";

/** What one server says of a record. */
export interface ServerSays {
  /** Name of a name server, or address of a resolver. */
  readonly server: string;
  /** Empty: there is nothing. */
  readonly values: readonly { readonly type: string; readonly value: string }[];
  /** `old`: remembered from before, or a copy that is behind. `other`: it is what the zone says, and not right. */
  readonly state: "new" | "old" | "other";
  /** When an old answer is forgotten, where that is known. */
  readonly until: number | undefined;
}

/** Who says what of a record, those that are behind first. */
export function propagationOf(
  record: DomainRecordView,
  { findings }: Pick<DomainView["dns"], "findings">,
): readonly ServerSays[] {
  const rows = new Map<string, ServerSays>();
  for (const { server, type, value } of record.found) {
    const values = [...(rows.get(server)?.values ?? []), { type, value }];
    const state = isWanted(record, { type, value }) ? "new" : "other";
    rows.set(server, { server, values, state, until: undefined });
  }
  for (const { server, values, until } of behindIn(findings, record)) {
    const told = values.map((value) => ({ type: typeOf(value), value }));
    rows.set(server, { server, values: rows.get(server)?.values ?? told, state: "old", until });
  }
  return [...rows.values()].toSorted((a, b) => RANK[a.state] - RANK[b.state]);
}

const RANK: Readonly<Record<ServerSays["state"], number>> = { old: 0, other: 1, new: 2 };

/** Not everybody says the same: who does is worth being seen. */
export function isSpreading(rows: readonly ServerSays[]): boolean {
  return new Set(rows.map(({ state }) => state)).size > 1 || rows[0]?.state === "old";
}

/** What is found is what was asked for: names are compared as the DNS does. */
export function isWanted(
  { type, value, state }: DomainRecordView,
  found: { readonly type: string; readonly value: string },
): boolean {
  // A name without ALIAS records answers by the addresses that they lead to.
  if (found.type !== type && state === "found") return true;
  return found.type === type && plain(found) === plain({ type, value });
}

function plain({ type, value }: { readonly type: string; readonly value: string }): string {
  return type === "TXT" ? value : value.toLowerCase().replace(/\.$/, "");
}

interface Behind {
  readonly server: string;
  readonly values: readonly string[];
  readonly until: number | undefined;
}

/** Resolvers that remember, and name servers that have not got the last change. */
function behindIn(
  findings: DomainView["dns"]["findings"],
  { purpose, fqdn }: DomainRecordView,
): readonly Behind[] {
  return findings.flatMap(({ code, data }) => {
    if (data === null) return [];
    // Facts come back under the code that they were sent with.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const facts = data as never;
    if (code === "propagating" && purpose === "routing") return remembering(facts);
    return code === "ns_disagree" ? lagging(facts, fqdn) : [];
  });
}

function remembering({ type, stale }: FactsOf<"propagating">): readonly Behind[] {
  // CAA records at the same name are no part of this one.
  if (type !== undefined) return [];
  return stale.map(({ vantage, values, until }) => ({ server: vantage, values, until }));
}

function lagging(facts: FactsOf<"ns_disagree">, fqdn: string): readonly Behind[] {
  if (facts.fqdn !== fqdn || facts.type === "CAA") return [];
  return facts.behind.map((server) => ({ server, values: facts.values, until: undefined }));
}

function typeOf(value: string): string {
  if (value.includes(":")) return "AAAA";
  return /^[\d.]+$/.test(value) ? "A" : "CNAME";
}

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
