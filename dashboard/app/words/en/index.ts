import { common } from "./common.ts";
import { problems } from "./problems.ts";
import { shell } from "./shell.ts";

/** Everything that the dashboard says, in English. Other languages say the same: they have this type. */
export const words = { common, problems, shell };

export type Words = typeof words;
