import { Script } from "../../lib/storage/changes/script.ts";
import type { Step } from "../../lib/storage/sql.ts";
import type { DomainRefusal } from "../ports/domain-change.ts";

/** The steps of a commit while they are put together, with refusals of this port's own. */
export class DomainScript extends Script {
  /** By step: it must yield a row, else the whole commit is refused so. */
  readonly demands: Map<number, DomainRefusal> = new Map();

  /** Adds a step that must yield a row, and returns its index. */
  demand(text: string, values: Step["values"], refusal: DomainRefusal): number {
    const step = this.add(text, values);
    this.demands.set(step, refusal);
    return step;
  }
}
