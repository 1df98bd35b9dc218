import type { AuditFilter, AuditStore, ChainHead, Checkpoint } from "../audit-store.ts";
import { BEGINNING, endOfOld, type AuditRow } from "../model.ts";

/** Creates an audit store that forgets its rows with the process. */
export function memoryAuditStore(): AuditStore {
  const rows: AuditRow[] = [];
  let head: ChainHead = { ...BEGINNING, event: 0 };
  let checkpoint: Checkpoint = BEGINNING;
  return {
    head: () => head,
    checkpoint: () => checkpoint,
    after: (seq, limit) => structuredClone(rows.filter((row) => row.seq > seq).slice(0, limit)),
    list: (filter, { after, limit }) => {
      const last = after === undefined ? undefined : rows.find(({ seq }) => seq === after);
      if (after !== undefined && last === undefined) return [];
      const newestFirst = (a: AuditRow, b: AuditRow): number => b.at - a.at || b.seq - a.seq;
      return structuredClone(
        rows
          .filter((row) => isWanted(row, filter))
          .filter((row) => last === undefined || newestFirst(last, row) < 0)
          .toSorted(newestFirst)
          .slice(0, limit),
      );
    },
    append: async (from, added) => {
      const last = added.at(-1);
      if (from.seq !== head.seq || from.event !== head.event || last === undefined) return false;
      rows.push(...structuredClone(added));
      head = { seq: last.seq, event: last.event, hash: last.hash };
      return true;
    },
    remove: async ({ before, limit, at }) => {
      const end = endOfOld(rows.slice(0, limit + 1), before);
      if (end === undefined) return 0;
      checkpoint = { seq: end.seq, hash: end.hash, at };
      return rows.splice(0, rows.findIndex(({ seq }) => seq === end.seq) + 1).length;
    },
  };
}

function isWanted(row: AuditRow, filter: AuditFilter): boolean {
  const { accountId, actor, type, subject, since = -Infinity, until = Infinity } = filter;
  return (
    (accountId ?? row.account ?? "") === (row.account ?? "") &&
    (actor ?? row.actor) === row.actor &&
    (type ?? row.type) === row.type &&
    (subject ?? row.subject) === row.subject &&
    row.at >= since &&
    row.at < until
  );
}
