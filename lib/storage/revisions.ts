import { number } from "../sql/rows.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import type { BatchRows, Sql } from "../sql/sql.ts";

/** The revisions of catalogues as this process knows them: asked for on every request, so kept in memory. */
export interface Revisions {
  of(catalogueId: number): Eventual<number>;
  /** Takes in what a commit of this process has moved. */
  learn(
    rows: BatchRows,
    revised: readonly { readonly catalogueId: number; readonly step: number }[],
  ): void;
  forget(): void;
}

const REVISION = "SELECT revision FROM catalogues WHERE id = ?";

export function revisionsOf(sql: Sql): Revisions {
  const known = new Map<number, number>();

  const look = (catalogueId: number): Eventual<number> =>
    andThen(sql.query({ text: REVISION, values: [catalogueId] }), ([row]) => {
      // One that does not exist is not kept: strangers could name any number of them.
      if (row === undefined) return 0;
      const revision = number(row, "revision");
      known.set(catalogueId, revision);
      return revision;
    });

  return {
    of: (catalogueId) => {
      if (sql.changedElsewhere()) known.clear();
      return known.get(catalogueId) ?? look(catalogueId);
    },
    learn: (rows, revised) => {
      for (const { catalogueId, step } of revised) {
        const row = rows[step]?.[0];
        if (row !== undefined) known.set(catalogueId, number(row, "revision"));
      }
    },
    forget: () => known.clear(),
  };
}
