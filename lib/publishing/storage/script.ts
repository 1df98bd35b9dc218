import type { OutcomeOf, Script } from "../../sql/script.ts";
import type { ProjectOutcome, ProjectRefusal } from "../project-store.ts";

/** The steps of one commit. */
export type ProjectScript = Script<ProjectRefusal, ProjectOutcome>;

/** Reads a change's outcome from the rows of the whole batch. */
export type Leaves = OutcomeOf<ProjectOutcome>;
