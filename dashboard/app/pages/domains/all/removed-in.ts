/** What an account's event tells of a domain that was removed. */
export interface RemovalEvent {
  readonly at: number;
  readonly data: { readonly domain: string; readonly projectId: string };
}

/** A domain that a project had. */
export interface RemovedDomain {
  readonly domain: string;
  readonly removedAt: number;
}

/** Those that a project had and has no more, the last one first; each once. */
export function removedIn(
  events: readonly RemovalEvent[],
  { projectId, attached }: { readonly projectId: string; readonly attached: readonly string[] },
): readonly RemovedDomain[] {
  const last = new Map<string, RemovedDomain>();
  for (const { at: removedAt, data } of events) {
    if (data.projectId !== projectId || attached.includes(data.domain)) continue;
    const before = last.get(data.domain)?.removedAt ?? 0;
    if (removedAt > before) last.set(data.domain, { domain: data.domain, removedAt });
  }
  return [...last.values()].toSorted((a, b) => b.removedAt - a.removedAt);
}
