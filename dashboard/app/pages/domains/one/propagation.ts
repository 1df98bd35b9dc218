import type { DomainRecordView, DomainView } from "../../../../../lib/management/domain-view.ts";

/** What one server says of a record. */
export interface ServerSays {
  /** Name of a name server, or address of a resolver. */
  readonly server: string;
  /** Empty: there is nothing. */
  readonly values: readonly { readonly type: string; readonly value: string }[];
  readonly state: "new" | "old";
  /** Seconds that the answer may be remembered. */
  readonly ttl: number | undefined;
  /** When an old answer is forgotten, where that is known. */
  readonly until: number | undefined;
}

/** Who says what of a record, those that are behind first. */
export function propagationOf(
  record: DomainRecordView,
  { findings }: Pick<DomainView["dns"], "findings">,
): readonly ServerSays[] {
  const rows = new Map<string, ServerSays>();
  for (const { server, type, value, ttl } of record.found) {
    const before = rows.get(server);
    rows.set(server, {
      server,
      values: [...(before?.values ?? []), { type, value }],
      state: isWanted(record, { type, value }) ? "new" : "old",
      ttl,
      until: undefined,
    });
  }
  for (const { vantage, values, until } of record.purpose === "routing" ? staleIn(findings) : []) {
    const before = rows.get(vantage);
    const told = values.map((value) => ({ type: typeOf(value), value }));
    rows.set(vantage, {
      server: vantage,
      values: before?.values ?? told,
      state: "old",
      ttl: undefined,
      until,
    });
  }
  return [...rows.values()].toSorted((a, b) => rank(a) - rank(b));
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

interface Stale {
  readonly vantage: string;
  readonly values: readonly string[];
  readonly until: number;
}

function staleIn(findings: DomainView["dns"]["findings"]): readonly Stale[] {
  const data = findings.find(({ code }) => code === "propagating")?.data;
  // Facts come back under the code that they were sent with.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (data?.["stale"] ?? []) as readonly Stale[];
}

function typeOf(value: string): string {
  if (value.includes(":")) return "AAAA";
  return /^[\d.]+$/.test(value) ? "A" : "CNAME";
}

function rank({ state }: ServerSays): number {
  return state === "old" ? 0 : 1;
}
