import type { Words } from "../en/index.ts";
import { common } from "./common.ts";
import { deploys } from "./deploys.ts";
import { keys } from "./keys.ts";
import { problems } from "./problems.ts";
import { projects } from "./projects.ts";
import { shell } from "./shell.ts";

export const words: Words = { common, deploys, keys, problems, projects, shell };
