import { animals } from "./animals.ts";
import { common } from "./common.ts";
import { keys } from "./keys.ts";
import { orders } from "./orders.ts";
import { problems } from "./problems.ts";
import { projects } from "./projects.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";

/** Everything that the dashboard says, in English. Other languages say the same: they have this type. */
export const words = {
  animals,
  common,
  keys,
  orders,
  problems,
  projects,
  shell,
  signIn,
};

export type Words = typeof words;
