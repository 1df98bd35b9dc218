import type { Step } from "../sql.ts";
import { Script } from "./script.ts";

/** The steps of a commit of another port while they are put together, with refusals of its own. */
export class DemandingScript<Refusal extends string> extends Script {
  /** By step: it must yield a row, else the whole commit is refused so. */
  readonly demands: Map<number, Refusal> = new Map();

  /** Adds a step that must yield a row, and returns its index. */
  demand(text: string, values: Step["values"], refusal: Refusal): number {
    const step = this.add(text, values);
    this.demands.set(step, refusal);
    return step;
  }
}
