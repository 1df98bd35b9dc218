import type { Words } from "../en/index.ts";
import { common } from "./common.ts";
import { problems } from "./problems.ts";
import { shell } from "./shell.ts";

export const words: Words = { common, problems, shell };
