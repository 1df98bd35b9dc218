import { isoTime } from "../lib/base/clock.ts";
import type { Account } from "../lib/index.ts";
import { writeJson, writeTable } from "./output.ts";
import type { Terminal } from "./terminal.ts";

/** An account as `--json` writes it. */
export function accountJson(account: Account): object {
  const { id, name, plan, limits, createdAt, suspendedAt } = account;
  return {
    id,
    name,
    plan,
    limits,
    createdAt: isoTime(createdAt),
    ...(suspendedAt === undefined ? {} : { suspendedAt: isoTime(suspendedAt) }),
  };
}

export async function writeAccounts(
  terminal: Terminal,
  accounts: readonly Account[],
): Promise<void> {
  const rows = accounts.map(({ id, name, plan, limits, suspendedAt }) => [
    id,
    name,
    plan,
    String(limits.perMinute),
    String(limits.perDay),
    suspendedAt === undefined ? "active" : "suspended",
  ]);
  await writeTable(terminal, ["ID", "NAME", "PLAN", "PER MINUTE", "PER DAY", "STATUS"], rows);
}

/** One account, as an object or as a table of one. */
export function writeAccount(terminal: Terminal, account: Account, json: boolean): Promise<void> {
  return json ? writeJson(terminal, accountJson(account)) : writeAccounts(terminal, [account]);
}
