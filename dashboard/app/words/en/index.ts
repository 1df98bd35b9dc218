import { common, shell, signIn } from "./shell.ts";
import { problems } from "./problems.ts";
import { projects } from "./projects.ts";

/** The words that the first page needs, in English. Other languages have this type. */
export const words = {
  common,
  problems,
  projects,
  shell,
  signIn,
};

export type Words = typeof words;
