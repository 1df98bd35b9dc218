import { done, refused, type Result } from "../base/result.ts";
import { faultOfEmail } from "../model/email.ts";
import { faultOfName, normalText, trimText } from "../model/text.ts";
import type { Mailbox } from "./mailer.ts";

const MAX_NAME = 120;
// Greedy: a name may contain brackets, an address may not.
const FORM = /^(.*)<([^<>]*)>$/s;

/** Parses `ada@example.org` or `Ada Lovelace <ada@example.org>`. An error completes a sentence that begins with what is parsed. */
export function readMailbox(text: string): Result<Mailbox, string> {
  const trimmed = trimText(text);
  const [, written = "", inBrackets] = FORM.exec(trimmed) ?? [];
  const address = normalText(inBrackets ?? trimmed);
  const fault = faultOfEmail(address);
  if (fault !== undefined) return refused(`${fault}, or Ada <ada@shelter.org>`);
  const name = normalText(written).replace(/^"(.*)"$/s, "$1");
  if (name === "") return done({ address });
  const misnamed = faultOfName(name, MAX_NAME);
  return misnamed === undefined ? done({ address, name }) : refused(`has a name that ${misnamed}`);
}

/** Returns a mailbox as `readMailbox` parses it. */
export function writtenMailbox({ address, name }: Mailbox): string {
  return name === undefined ? address : `${name} <${address}>`;
}
