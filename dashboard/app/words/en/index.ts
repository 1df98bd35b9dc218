import { animals } from "./animals.ts";
import { common, shell, signIn } from "./shell.ts";
import { keys } from "./keys.ts";
import { orders } from "./orders.ts";
import { problems } from "./problems.ts";
import { projects } from "./projects.ts";

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
