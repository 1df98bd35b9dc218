import type { FactsOf } from "../../../../domains/view/texts.ts";
import type { DomainRecordView, DomainView } from "../../../../domains/view/shapes.ts";

/** A server's answer for a record. */
export interface ServerAnswer {
  /** A name server's name or a resolver's address. */
  readonly server: string;
  /** Empty if the server has no record. */
  readonly values: readonly { readonly type: string; readonly value: string }[];
  /** `old` is a cached or outdated answer; `other` is what the zone contains, but not the expected value. */
  readonly state: "new" | "old" | "other";
  /** When an old answer expires, if known. */
  readonly until: number | undefined;
}

/** Returns each server's answer for a record, outdated ones first. */
export function serverAnswers(
  record: DomainRecordView,
  { findings }: Pick<DomainView["dns"], "findings">,
): readonly ServerAnswer[] {
  const rows = new Map<string, ServerAnswer>();
  for (const { server, type, value } of record.found) {
    const values = [...(rows.get(server)?.values ?? []), { type, value }];
    const state = isWanted(record, { type, value }) ? "new" : "other";
    rows.set(server, { server, values, state, until: undefined });
  }
  for (const { server, values, until } of staleAnswers(findings, record)) {
    const old = values.map((value) => ({ type: typeOf(value), value }));
    // A resolver may have the new record and old addresses; of name servers, the finding has only the values of all.
    const shown = until === undefined ? (rows.get(server)?.values ?? old) : old;
    rows.set(server, { server, values: shown, state: "old", until });
  }
  return [...rows.values()].toSorted((a, b) => RANK[a.state] - RANK[b.state]);
}

const RANK: Readonly<Record<ServerAnswer["state"], number>> = { old: 0, other: 1, new: 2 };

/** Returns true while servers disagree or an answer is outdated. */
export function isPropagating(rows: readonly ServerAnswer[]): boolean {
  return new Set(rows.map(({ state }) => state)).size > 1 || rows[0]?.state === "old";
}

/** Returns true if a value found is the expected one. Compares names as the DNS does. */
export function isWanted(
  { type, value, state }: DomainRecordView,
  found: { readonly type: string; readonly value: string },
): boolean {
  // An ALIAS record is answered with the addresses of its target.
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

/** Finds resolvers with cached answers and name servers without the latest change. */
function staleAnswers(
  findings: DomainView["dns"]["findings"],
  { purpose, fqdn }: DomainRecordView,
): readonly Behind[] {
  return findings.flatMap(({ code, data }) => {
    if (data === null) return [];
    // Each code comes with its own facts.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const facts = data as never;
    if (code === "propagating" && purpose === "routing") return staleResolvers(facts);
    return code === "ns_disagree" ? staleNameServers(facts, fqdn) : [];
  });
}

function staleResolvers({ type, stale }: FactsOf<"propagating">): readonly Behind[] {
  // The finding is about CAA records at the same name.
  if (type !== undefined) return [];
  return stale.map(({ vantage, values, until }) => ({ server: vantage, values, until }));
}

function staleNameServers(facts: FactsOf<"ns_disagree">, fqdn: string): readonly Behind[] {
  if (facts.fqdn !== fqdn || facts.type === "CAA") return [];
  return facts.behind.map((server) => ({ server, values: facts.values, until: undefined }));
}

function typeOf(value: string): string {
  if (value.includes(":")) return "AAAA";
  return /^[\d.]+$/.test(value) ? "A" : "CNAME";
}
