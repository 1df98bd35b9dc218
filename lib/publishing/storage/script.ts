import { DemandingScript } from "../../storage/changes/demanding-script.ts";
import { nothing } from "../../storage/changes/script.ts";
import type { BatchRows } from "../../storage/sql.ts";
import type { ProjectOutcome, ProjectRefusal } from "../project-change.ts";

/** Makes a change's outcome from the rows of the whole batch. */
export type Leaves = (rows: BatchRows) => ProjectOutcome;

/** The steps of a commit while they are put together, with refusals and outcomes of this port's own. */
export class ProjectScript extends DemandingScript<ProjectRefusal> {
  /** One per change that is complete. */
  readonly leaves: Leaves[] = [];

  /** Ends a change. */
  end(leaves: Leaves): void {
    this.leaves.push(leaves);
    this.outcomes.push(nothing);
  }
}

/** Of a change that leaves nothing to tell. */
export const leavesNothing: Leaves = () => undefined;
