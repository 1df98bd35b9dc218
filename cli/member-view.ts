import { isoTime } from "../lib/base/clock.ts";
import { toWire, type MemberView, type ResetLinkView } from "../lib/management/index.ts";
import { writeJson, writeTable } from "./output.ts";
import type { Terminal } from "./terminal.ts";

export async function writeMembers(
  terminal: Terminal,
  members: readonly MemberView[],
): Promise<void> {
  const rows = members.map(({ id, email, name, role, accountId, status, passkeys, lastSeenAt }) => [
    id,
    email,
    name,
    role,
    accountId ?? "all",
    status,
    String(passkeys),
    lastSeenAt === undefined ? "never" : isoTime(lastSeenAt),
  ]);
  const headings = ["ID", "E-MAIL", "NAME", "ROLE", "ACCOUNT", "STATUS", "PASSKEYS", "LAST SEEN"];
  await writeTable(terminal, headings, rows);
}

/** The way to a password. Text has the address alone on stdout. */
export async function writeResetLink(
  terminal: Terminal,
  { email, link }: { readonly email: string; readonly link: ResetLinkView },
): Promise<void> {
  terminal.err(
    `For ${email} alone, who chooses a password there. Good once, until ${isoTime(link.expiresAt)}:\n`,
  );
  await terminal.out(`${link.url}\n`);
}

/** What `--json` writes of members and links. */
export function writeMemberJson(terminal: Terminal, value: object): Promise<void> {
  return writeJson(terminal, toWire(value));
}
