import type { Words } from "../en/index.ts";
import { common, shell, signIn } from "./shell.ts";
import { problems } from "./problems.ts";
import { projects } from "./projects.ts";

export const words: Words = {
  common,
  problems,
  projects,
  shell,
  signIn,
};
