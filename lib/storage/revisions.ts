import { andThen, type Eventual } from "../base/eventual.ts";
import { joinAsks } from "../base/join-asks.ts";
import { number } from "../sql/rows.ts";
import type { Sql } from "../sql/sql.ts";

/** The revisions of catalogues. Every request needs one. */
export interface Revisions {
  /** 0 for an unknown catalogue. */
  of(catalogueId: number): Eventual<number>;
  /** Keeps the revision that a commit of this process has written. Returns it as `of` does. */
  remember(catalogueId: number, revision: number): number;
  /** Drops all revisions. */
  forget(): void;
}

/** Keeps revisions in memory if the database reports the writes of others; otherwise asks for each. */
export function revisionsOf(sql: Sql): Revisions {
  return sql.changedElsewhere === undefined ? askedRevisions(sql) : keptRevisions(sql);
}

const REVISION = "SELECT revision FROM catalogues WHERE id = ?";

function keptRevisions(sql: Sql): Revisions {
  const known = new Map<number, number>();
  const read = (catalogueId: number): Eventual<number> =>
    andThen(sql.query({ text: REVISION, values: [catalogueId] }), ([row]) => {
      // Not kept if the catalogue does not exist: clients can name any number of them.
      if (row === undefined) return 0;
      const revision = number(row, "revision");
      known.set(catalogueId, revision);
      return revision;
    });
  return {
    of: (catalogueId) => {
      if (sql.changedElsewhere?.() === true) known.clear();
      return known.get(catalogueId) ?? read(catalogueId);
    },
    remember: (catalogueId, revision) => {
      known.set(catalogueId, revision);
      return revision;
    },
    forget: () => known.clear(),
  };
}

/** The numbers of catalogues in one query: few, so that few statements are prepared. */
const SIZES = [1, 8, 64] as const;
const MOST = 64;

/** More writes than a catalogue gets. */
const PER_TIMELINE = 2 ** 32;
const TIMELINES = 2 ** 20;

function askedRevisions(sql: Sql): Revisions {
  // After a failover that lost writes, the database counts the same revisions again, for other animals.
  const onTimeline = (revision: number): number =>
    revision + ((sql.timeline?.() ?? 0) % TIMELINES) * PER_TIMELINE;
  const ask = joinAsks(MOST, async (ids: readonly number[]) => {
    const size = SIZES.find((one) => one >= ids.length) ?? MOST;
    const padded = Array.from({ length: size }, (_, index) => ids[index] ?? 0);
    const places = padded.map(() => "?").join(", ");
    const text = `SELECT id, revision FROM catalogues WHERE id IN (${places})`;
    const rows = await sql.query({ text, values: padded });
    const found = new Map(
      rows.map((row) => [number(row, "id"), onTimeline(number(row, "revision"))]),
    );
    return (id) => found.get(id) ?? 0;
  });
  return {
    of: ask,
    remember: (_catalogueId, revision) => onTimeline(revision),
    forget: () => undefined,
  };
}
