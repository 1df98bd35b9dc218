import { optional } from "./flag.ts";
import { text } from "../settings/values.ts";

/** Whose tokens are meant. */
export const accountOfTokens = optional({
  name: "account",
  placeholder: "ACCOUNT",
  help: "Id of the account. Default: the operators' tokens, which belong to none.",
  parse: text,
});
