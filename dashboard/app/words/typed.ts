import { asTyped } from "../../../lib/base/commands.ts";

let program = "petstore";

/** Sets what the operator types to start the program; the page names it. */
export function startedAs(named: string): void {
  program = named;
}

/** Writes the commands in a text as the operator types them. */
export function typed(text: string): string {
  return asTyped(text, program);
}
