import type { DomainSuggestionView, ManagementClient } from "../lib/management/index.ts";
import type { Context } from "./command.ts";
import { shellWord } from "./terminal.ts";

/** What the live deploy asks for; nothing where the server cannot say, for what was published is published. */
export async function suggestedDomains(
  { domains }: Pick<ManagementClient, "domains">,
  project: string,
): Promise<readonly DomainSuggestionView[]> {
  const suggested = await domains.suggestions(project);
  return suggested.ok ? suggested.value : [];
}

/** Tells what to type so that the domains of petstore.site.json take effect. */
export function tellSuggestions(
  suggestions: readonly DomainSuggestionView[],
  project: string,
  { terminal, program }: Pick<Context, "terminal" | "program">,
): void {
  for (const { domain, unicode, step } of suggestions) {
    const how = `${program} domains ${step} ${domain} --project ${shellWord(project)}`;
    terminal.err(`${step === "add" ? "Add" : "Verify"} domain ${unicode}: ${how}\n`);
  }
}
