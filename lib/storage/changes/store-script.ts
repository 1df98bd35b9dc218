import { text } from "../../sql/rows.ts";
import { actorText, originText, type Actor } from "../../model/actor.ts";
import type { EventType } from "../../model/event.ts";
import type { ChangeOf, Notice, Outcome, Refusal } from "../change.ts";
import type { BatchRows, SqlRow, SqlValue } from "../../sql/sql.ts";
import { nothing, rowOf, Script, type OutcomeOf } from "../../sql/script.ts";

/** Derives a change's outcome from the rows of the whole batch. */
export type Outcomes = OutcomeOf<Outcome>;

/** The steps of one commit, whose events have its actor. */
export class EventScript<Refused extends string, Value = undefined> extends Script<Refused, Value> {
  /** The actor as it is stored. */
  readonly actor: string;
  /** Where the actor's changes come from, as it is stored. */
  readonly origin: string | null;
  /** Who makes the commit. */
  readonly by: Actor;

  constructor(actor: Actor) {
    super();
    this.by = actor;
    this.actor = actorText(actor);
    this.origin = originText(actor) ?? null;
  }
}

/** The steps of one commit of the `Store`. */
export class StoreScript extends EventScript<Refusal, Outcome> {
  /** The steps whose row holds a catalogue's new `revision`. */
  readonly revised: { readonly catalogueId: number; readonly step: number }[] = [];

  /**
   * Adds a step whose row has the catalogue's new `revision` and its `account_id`. It is the first step of every change
   * of a catalogue: the row lock makes the changes wait for each other.
   */
  revise(catalogueId: number, update: string, refusal: Refusal): number {
    const step = this.demand(update, [catalogueId], refusal);
    this.revised.push({ catalogueId, step });
    return step;
  }
}

/** Increments only the revision. */
export const REVISE =
  "UPDATE catalogues SET revision = revision + 1 WHERE id = ? RETURNING revision, account_id";

/** Replaces the account's id in rows and events of the operators. No account has this id. */
export const OPERATORS = "";

export type NewEvent = Omit<ChangeOf<"event.write">, "kind"> & {
  /** Default: the actor of the commit. Brings its own origin. */
  readonly actor?: Actor | undefined;
};

/** Creates an event from the rows of earlier steps; undefined if nothing changed. */
type MakeEvent = (rows: BatchRows) => NewEvent | undefined;

const COLUMNS = "type, account_id, catalogue_id, occurred_at, data, actor, origin, changed";

const INSERT_EVENT = `INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

// Skips the events of a deleted account.
const INSERT_EVENT_OF_ACCOUNT = `INSERT INTO events (${COLUMNS})
  SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE ? = '${OPERATORS}' OR EXISTS (SELECT 1 FROM accounts WHERE id = ?)`;

/** Adds an event of the operators, or of an account if that exists. */
export function addEvent(script: EventScript<string, unknown>, make: MakeEvent): void {
  script.add(INSERT_EVENT_OF_ACCOUNT, (rows) => {
    const event = make(rows);
    if (event === undefined) return undefined;
    return [...valuesOf(script, event), event.accountId, event.accountId];
  });
}

/** Adds an event about the row of the step `cause`, if it yielded one. */
export function addEventOfRow(
  script: EventScript<string, unknown>,
  cause: number,
  make: (row: SqlRow) => NewEvent,
): void {
  addEvent(script, (rows) => {
    const row = rows[cause]?.[0];
    return row === undefined ? undefined : make(row);
  });
}

/** Adds an event without checking that its account exists: for a deletion, or after a step that found the account. */
export function addEventUnchecked(script: EventScript<string, unknown>, make: MakeEvent): void {
  script.add(INSERT_EVENT, (rows) => {
    const event = make(rows);
    return event === undefined ? undefined : valuesOf(script, event);
  });
}

/** Adds `count` events without checking that their accounts exist. */
export function addEvents(
  script: EventScript<string, unknown>,
  count: number,
  events: (rows: BatchRows) => readonly NewEvent[],
): void {
  script.addMany(INSERT_EVENT, count, (rows, index) => {
    const event = events(rows)[index];
    return event && valuesOf(script, event);
  });
}

function valuesOf(
  script: EventScript<string, unknown>,
  { type, accountId, catalogueId, at, data, actor, changed = [] }: NewEvent,
): readonly SqlValue[] {
  const by = actor === undefined ? script.actor : actorText(actor);
  const from = actor === undefined ? script.origin : (originText(actor) ?? null);
  const fields = changed.length === 0 ? null : changed.join(" ");
  return [type, accountId, catalogueId ?? null, at, JSON.stringify(data), by, from, fields];
}

/** Adds an event of a catalogue. The row of the step `revised` holds its account. */
export function addCatalogueEvent(
  script: EventScript<string, unknown>,
  revised: number,
  event: {
    readonly type: EventType;
    readonly catalogueId: number;
    readonly at: number;
    readonly changed?: readonly string[] | undefined;
    readonly data: (rows: BatchRows) => NewEvent["data"];
  },
): void {
  const { type, catalogueId, at, changed, data } = event;
  // An account is deleted with its catalogues, so the row of `revised` proves that both exist.
  addEventUnchecked(script, (rows) => ({
    type,
    accountId: text(rowOf(rows, revised), "account_id"),
    catalogueId,
    at,
    changed,
    data: data(rows),
  }));
}

/** Adds an event without a row that caused it. */
export function writeEvent(script: EventScript<string, unknown>, event: NewEvent): () => undefined {
  addEvent(script, () => event);
  return nothing;
}

const INSERT_NOTICE = "INSERT INTO feed (topic, subject, written_at) VALUES (?, ?, ?)";

/** Tells other processes that their copy is stale. With `cause`, only if that step yielded a row. */
export function addNotice(
  script: Script<string, unknown>,
  { topic, subject, at }: Pick<Notice, "topic" | "subject"> & { readonly at: number },
  cause?: number,
): void {
  script.add(INSERT_NOTICE, (rows) =>
    cause !== undefined && rows[cause]?.length === 0 ? undefined : [topic, subject, at],
  );
}
