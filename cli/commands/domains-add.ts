import { refused } from "../../lib/base/result.ts";
import type { Problem, Result } from "../../lib/index.ts";
import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { domainOperand } from "../domain-fields.ts";
import { writeDomain } from "../domain-view.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { projectFlag } from "../project-fields.ts";
import { clientFlags } from "../serve-flags.ts";
import { shellWord } from "../terminal.ts";
import { withClient } from "../client.ts";

export const domainsAdd = command({
  path: "domains add",
  summary: "Give a project a domain of its own, and show the DNS record to enter",
  details:
    "The first domain of a project shows its site, further ones lead to that one. Needs the plan Pro or above and a deploy that is live. From then on the DNS is looked at by itself, and the certificate is made and renewed by itself.",
  operands: { domain: domainOperand },
  flags: { project: projectFlag, ...clientFlags },
  examples: [
    "domains add pets.shelter.org --project brave-otter-1f2e",
    "domains add shelter.org --project brave-otter-1f2e --json",
  ],
  run: async ({ flags, operands, context }) => {
    const { terminal, program, clock } = context;
    const added = await withClient(flags, context, ({ domains }) =>
      domains.add(flags.project, operands.domain),
    );
    const project = shellWord(flags.project);
    const view = must(withHint(added, { program, project }));
    if (flags.json) {
      await writeJson(terminal, toWire(view));
      return "done";
    }
    await writeDomain(terminal, view, clock.now());
    const several = view.records.length > 1;
    // Proof is asked for where others have the name too: then it takes the project to say which is meant.
    const which = several ? ` --project ${project}` : "";
    terminal.err(
      `\nOnce ${several ? "they are" : "it is"} entered: ${program} domains verify ${view.domain} --wait${which}\n`,
    );
    if (view.twin !== null) {
      terminal.err(`The other one too: ${program} domains add ${view.twin} --project ${project}\n`);
    }
    return "done";
  },
});

/** What to type about a refusal, after the name of the program. */
const hints: Partial<Record<Problem["code"], (project: string) => readonly [string, string]>> = {
  plan_required: () => ["Operators change the plan:", "accounts plan ACCOUNT pro"],
  deploy_required: (project) => ["To begin with:", `deploy --starter --project ${project}`],
  domain_exists: () => ["To see where:", "domains list"],
};

function withHint<Value>(
  result: Result<Value, Problem>,
  { program, project }: { readonly program: string; readonly project: string },
): Result<Value, Problem> {
  if (result.ok) return result;
  const { failure } = result;
  const hint = hints[failure.code]?.(project);
  if (hint === undefined) return result;
  const [when, typed] = hint;
  return refused({ ...failure, message: `${failure.message} ${when} ${program} ${typed}` });
}
