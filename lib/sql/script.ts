import { done, refused, type Result } from "../base/result.ts";
import type { BatchRows, Sql, SqlRow, Step } from "./sql.ts";

/** Derives a change's outcome from the rows of the whole batch. */
export type OutcomeOf<Outcome> = (rows: BatchRows) => Outcome;

/** The change that made a commit fail, by its index, and the reason. */
export interface RefusedChange<Refusal extends string> {
  readonly index: number;
  readonly refusal: Refusal;
}

/**
 * Collects the steps of one commit while its changes are compiled to SQL. A step is identified by its index in the
 * batch. A change that has an outcome ends its steps with `end`.
 */
export class Script<Refusal extends string, Outcome = undefined> {
  readonly #steps: Step[] = [];
  readonly #demands: (RefusedChange<Refusal> | undefined)[] = [];
  /** One per completed change. */
  readonly outcomes: OutcomeOf<Outcome>[] = [];

  /** The number of steps so far, which is also the index of the next one. */
  get length(): number {
    return this.#steps.length;
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  /** Returns the refusal of the commit if the step yields no row; undefined if it need not yield one. */
  demandOf(step: number): RefusedChange<Refusal> | undefined {
    return this.#demands[step];
  }

  /** Adds a step and returns its index. */
  add(text: string, values: Step["values"]): number {
    this.#demands.push(undefined);
    return this.#steps.push({ text, values }) - 1;
  }

  /** Adds a step that runs `times` times and yields no rows. */
  addMany(text: string, times: number, values: Step["values"]): void {
    if (times === 0) return;
    this.#demands.push(undefined);
    this.#steps.push({ text, values, times });
  }

  /** Adds a step that must yield a row, or else the whole commit is refused. Returns its index. */
  demand(text: string, values: Step["values"], refusal: Refusal): number {
    this.#demands.push({ index: this.outcomes.length, refusal });
    return this.#steps.push({ text, values }) - 1;
  }

  /** Completes a change. */
  end(outcome: OutcomeOf<Outcome>): void {
    this.outcomes.push(outcome);
  }

  /** Runs the steps as one batch. If a demanded row is missing, returns that demand's refusal and writes nothing. */
  run(sql: Sql, lane: string): Promise<Result<BatchRows, RefusedChange<Refusal>>> {
    return runScript(sql, lane, () => this);
  }

  /** Runs the steps and returns the outcomes of the changes. */
  async commit(
    sql: Sql,
    lane: string,
  ): Promise<Result<readonly Outcome[], RefusedChange<Refusal>>> {
    const written = await this.run(sql, lane);
    return written.ok ? done(this.outcomes.map((outcome) => outcome(written.value))) : written;
  }

  /** Runs the steps of changes that have no outcomes. */
  async write(sql: Sql, lane: string): Promise<Result<undefined, Refusal>> {
    const written = await this.run(sql, lane);
    return written.ok ? done(undefined) : refused(written.failure.refusal);
  }
}

/** Runs a script that is made when its batch begins, as `Script.run` does. */
export async function runScript<Refusal extends string>(
  sql: Sql,
  lane: string,
  make: () => Script<Refusal, unknown>,
): Promise<Result<BatchRows, RefusedChange<Refusal>>> {
  let script: Script<Refusal, unknown> | undefined;
  const written = await sql.batch(
    () => {
      script = make();
      return script.steps;
    },
    (rows, step) => rows.length > 0 || script?.demandOf(step) === undefined,
    lane,
  );
  if (written.ok) return written;
  const refusal = script?.demandOf(written.failure);
  if (refusal === undefined) {
    throw new Error(`Step ${written.failure} was refused without reason.`);
  }
  return refused(refusal);
}

/** Returns the first row of a step that always yields one. */
export function rowOf(rows: BatchRows, step: number): SqlRow {
  const row = rows[step]?.[0];
  if (row === undefined) throw new Error(`Step ${step} of the batch yielded no row.`);
  return row;
}

/** The outcome of a change that returns nothing. */
export const nothing = (): undefined => undefined;
