import type { AdministrationWords } from "../administration-words.ts";
import { accounts } from "./accounts.ts";
import { people } from "./people.ts";
import { system } from "./system.ts";
import { tokens } from "./tokens.ts";

export const administration: AdministrationWords = { accounts, people, system, tokens };
