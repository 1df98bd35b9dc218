import type { Words } from "../en/index.ts";
import { animals } from "./animals.ts";
import { common, shell, signIn } from "./shell.ts";
import { keys } from "./keys.ts";
import { orders } from "./orders.ts";
import { problems } from "./problems.ts";
import { projects } from "./projects.ts";

export const words: Words = {
  animals,
  common,
  keys,
  orders,
  problems,
  projects,
  shell,
  signIn,
};
