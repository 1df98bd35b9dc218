import { expect } from "bun:test";

import type { Chance } from "../../helpers/chance.ts";
import { runProgram } from "../../helpers/process.ts";

/** A key's known state; `revoking` if the server died before it confirmed. */
export interface KnownKey {
  readonly id: string;
  readonly key: string;
  state: "active" | "revoking" | "revoked";
}

/** Creates an account with unreachable limits on the command line. */
export async function openAccount(
  dataDir: string,
  name: string,
  limits: { readonly perMinute: number; readonly perDay: number },
): Promise<string> {
  const { perMinute, perDay } = limits;
  const plan = `--plan=enterprise --per-minute=${perMinute} --per-day=${perDay}`.split(" ");
  const { id } = await command<{ id: string }>(dataDir, ["accounts", "create", name, ...plan]);
  return id;
}

export async function issueKey(dataDir: string, account: string): Promise<KnownKey> {
  const made = await command<KnownKey>(dataDir, ["keys", "create", "--account", account]);
  return { id: made.id, key: made.key, state: "active" };
}

/** Creates and revokes keys on the command line until the server dies. */
export async function keepKeys(
  dataDir: string,
  account: string,
  chance: Chance,
  server: { readonly gone: boolean },
): Promise<readonly KnownKey[]> {
  const keys: KnownKey[] = [];
  while (!server.gone) {
    try {
      keys.push(await issueKey(dataDir, account));
      const key = keys[chance.between(0, keys.length - 1)];
      if (key?.state !== "active" || server.gone) continue;
      key.state = "revoking";
      await command(dataDir, ["keys", "revoke", key.id, "--yes"]);
      key.state = "revoked";
    } catch (error) {
      if (!server.gone) throw error;
    }
  }
  return keys;
}

async function command<Output>(dataDir: string, args: readonly string[]): Promise<Output> {
  const { exitCode, stdout, stderr } = await runProgram([...args, "--json", "--data-dir", dataDir]);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout);
}
