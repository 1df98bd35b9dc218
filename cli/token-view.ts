import { isoTime } from "../lib/base/clock.ts";
import { toWire, type IssuedToken, type TokenView } from "../lib/management/index.ts";
import { writeJson, writeTable } from "./output.ts";
import type { Terminal } from "./terminal.ts";

export async function writeTokens(terminal: Terminal, views: readonly TokenView[]): Promise<void> {
  const rows = views.map(({ id, name, role, accountId, status, expiresAt, lastUsedAt }) => [
    id,
    name,
    role,
    accountId ?? "all",
    status,
    expiresAt === undefined ? "never" : isoTime(expiresAt),
    lastUsedAt === undefined ? "never" : isoTime(lastUsedAt),
  ]);
  const headings = ["ID", "NAME", "ROLE", "ACCOUNT", "STATUS", "EXPIRES", "LAST USED"];
  await writeTable(terminal, headings, rows);
}

/** A fresh token. Text has the secret alone on stdout, so that it can go into a file. */
export async function writeIssuedToken(
  terminal: Terminal,
  { view, token }: IssuedToken,
  json: boolean,
): Promise<void> {
  if (json) {
    const { id, ...rest } = view;
    await writeJson(terminal, toWire({ id, token, ...rest }));
    return;
  }
  terminal.err(`${nameOf(view)}. It is shown this once:\n`);
  await terminal.out(`${token}\n`);
}

/** `Token 4fGq8Zt1Lm (owner of acc_…), until …` */
export function nameOf({ id, role, accountId, expiresAt }: TokenView): string {
  const whose = accountId === undefined ? role : `${role} of ${accountId}`;
  return `Token ${id} (${whose})${expiresAt === undefined ? "" : `, until ${isoTime(expiresAt)}`}`;
}
