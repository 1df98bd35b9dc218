import { activationCases, deployCases, removalCases } from "./projects/deploys.ts";
import type { ProjectStoreCase } from "./projects/fixture.ts";
import { projectCases, slugCases } from "./projects/projects.ts";

export type { ProjectStoreCase, ProjectStores } from "./projects/fixture.ts";

/** The contract of every project store, for any test runner. */
export const projectStoreContract: readonly ProjectStoreCase[] = [
  ...projectCases,
  ...slugCases,
  ...deployCases,
  ...removalCases,
  ...activationCases,
];
