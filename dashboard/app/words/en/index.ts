import { common } from "./common.ts";
import { deploys } from "./deploys.ts";
import { keys } from "./keys.ts";
import { problems } from "./problems.ts";
import { projects } from "./projects.ts";
import { shell } from "./shell.ts";

/** Everything that the dashboard says, in English. Other languages say the same: they have this type. */
export const words = { common, deploys, keys, problems, projects, shell };

export type Words = typeof words;
