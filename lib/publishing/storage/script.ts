import { nothing, Script } from "../../storage/changes/script.ts";
import type { BatchRows, Step } from "../../storage/sql.ts";
import type { ProjectOutcome, ProjectRefusal } from "../project-change.ts";

/** Makes a change's outcome from the rows of the whole batch. */
export type Leaves = (rows: BatchRows) => ProjectOutcome;

/** The steps of a commit while they are put together, with refusals and outcomes of this port's own. */
export class ProjectScript extends Script {
  /** By step: it must yield a row, else the whole commit is refused so. */
  readonly demands: Map<number, ProjectRefusal> = new Map();
  /** One per change that is complete. */
  readonly leaves: Leaves[] = [];

  /** Adds a step that must yield a row, and returns its index. */
  demand(text: string, values: Step["values"], refusal: ProjectRefusal): number {
    const step = this.add(text, values);
    this.demands.set(step, refusal);
    return step;
  }

  /** Ends a change. */
  end(leaves: Leaves): void {
    this.leaves.push(leaves);
    this.outcomes.push(nothing);
  }
}

/** Of a change that leaves nothing to tell. */
export const leavesNothing: Leaves = () => undefined;
