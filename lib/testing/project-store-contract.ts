import { activationCases } from "./projects/activation.ts";
import type { ProjectStoreCase } from "./projects/case.ts";
import { deployCases } from "./projects/deploys.ts";
import { projectCases } from "./projects/projects.ts";
import { removalCases } from "./projects/removal.ts";
import { slugCases } from "./projects/slugs.ts";

export type { ProjectStoreCase, ProjectStores } from "./projects/case.ts";

/** Everything that a store of projects promises, to be run over each adapter by any test runner. */
export const projectStoreContract: readonly ProjectStoreCase[] = [
  ...projectCases,
  ...slugCases,
  ...deployCases,
  ...removalCases,
  ...activationCases,
];
