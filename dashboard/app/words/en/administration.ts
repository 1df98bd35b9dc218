import { accounts } from "./accounts.ts";
import { people } from "./people.ts";
import { system } from "./system.ts";
import { tokens } from "./tokens.ts";

/** What the views of accounts, people, tokens and the system say. */
export const administration = { accounts, people, system, tokens };
