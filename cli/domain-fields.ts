import type { DomainView, ManagementClient } from "../lib/management/index.ts";
import type { Operand } from "./command.ts";
import { Failure, must } from "../settings/failure.ts";
import { optional } from "./flag.ts";
import { text } from "../settings/values.ts";

export const domainOperand: Operand = {
  placeholder: "DOMAIN",
  help: "A name such as pets.shelter.org.",
};

/** For operators, whose view has more accounts than one. */
export const whereFlag = optional({
  name: "project",
  placeholder: "PROJECT",
  help: "Slug or id of the project; needed when several have the domain.",
  parse: text,
});

/** The domain that is meant: by its project where that is named, else wherever it is attached. */
export async function findDomain(
  { domains }: Pick<ManagementClient, "domains">,
  domain: string,
  project: string | undefined,
): Promise<DomainView> {
  if (project !== undefined) return must(await domains.show(project, domain));
  const named = must(await domains.named(domain));
  const attached = named.filter(({ status }) => status !== "removed");
  const [first, ...others] = attached.length > 0 ? attached : named.slice(0, 1);
  if (first === undefined) {
    throw new Failure("notFound", `No project has ${domain}.`);
  }
  if (others.length > 0) {
    const projects = attached.map((one) => one.project).join(", ");
    throw new Failure("usage", `Several projects have ${domain}: ${projects}. Add --project.`);
  }
  return first;
}
