import type { OutcomeOf } from "../../sql/script.ts";
import type { EventScript } from "../../storage/changes/store-script.ts";
import type { ProjectChange, ProjectOutcome, ProjectRefusal } from "../project-store.ts";

/** The steps of one commit. */
export type ProjectScript = EventScript<ProjectRefusal, ProjectOutcome>;

export type Kind = ProjectChange["kind"];
export type ChangeOf<K extends Kind> = { [P in K]: Extract<ProjectChange, { kind: P }> }[K];

/** Functions, by kind of change, that add the change's steps to a script and return its outcome. */
export type Compilers<K extends Kind> = {
  readonly [P in K]: (script: ProjectScript, change: ChangeOf<P>) => OutcomeOf<ProjectOutcome>;
};

/** A condition: the project's account exists. Changes to projects of a deleted account write no event. */
export const HAS_ACCOUNT =
  "EXISTS (SELECT 1 FROM accounts WHERE accounts.id = projects.account_id)";
