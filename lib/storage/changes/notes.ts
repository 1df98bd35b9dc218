import type { EventType } from "../../model/event.ts";
import type { Change, Notice } from "../change.ts";
import { text } from "../rows.ts";
import type { BatchRows } from "../sql.ts";
import { nothing, rowOf, type Outcomes, type Script } from "./script.ts";

type NewEvent = Omit<Extract<Change, { kind: "event.write" }>, "kind">;

const INSERT_EVENT =
  "INSERT INTO events (type, account_id, catalogue_id, occurred_at, data) VALUES (?, ?, ?, ?, ?)";

/** An event made from what the steps before it yielded; undefined: nothing happened after all. */
export function addEvent(script: Script, make: (rows: BatchRows) => NewEvent | undefined): void {
  script.add(INSERT_EVENT, (rows) => {
    const event = make(rows);
    if (event === undefined) return undefined;
    const { type, accountId, catalogueId = null, at, data } = event;
    return [type, accountId, catalogueId, at, JSON.stringify(data)];
  });
}

/** An event of a catalogue, whose account the row of the step `revised` names. */
export function addCatalogueEvent(
  script: Script,
  revised: number,
  event: {
    readonly type: EventType;
    readonly catalogueId: number;
    readonly at: number;
    readonly data: (rows: BatchRows) => NewEvent["data"];
  },
): void {
  const { type, catalogueId, at, data } = event;
  addEvent(script, (rows) => ({
    type,
    accountId: text(rowOf(rows, revised), "account_id"),
    catalogueId,
    at,
    data: data(rows),
  }));
}

/** An event whose cause is not a row. */
export function writeEvent(script: Script, event: NewEvent): Outcomes {
  addEvent(script, () => event);
  return nothing;
}

const INSERT_NOTICE = "INSERT INTO feed (topic, subject, written_at) VALUES (?, ?, ?)";

/** Tells other processes that their copy of an account or key is old; with `cause`, if that step yielded a row. */
export function addNotice(
  script: Script,
  { topic, subject, at }: Pick<Notice, "topic" | "subject"> & { readonly at: number },
  cause?: number,
): void {
  script.add(INSERT_NOTICE, (rows) =>
    cause !== undefined && rows[cause]?.length === 0 ? undefined : [topic, subject, at],
  );
}
