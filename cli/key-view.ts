import { isoTime } from "../lib/base/clock.ts";
import type { IssuedKey, KeyView } from "../lib/index.ts";
import { writeJson, writeTable } from "./output.ts";
import type { Terminal } from "./terminal.ts";

const instants = ["createdAt", "expiresAt", "revokedAt", "lastUsedAt", "bannedUntil"] as const;

/** A key as `--json` writes it, with its instants in RFC 3339. */
export function keyJson(view: KeyView): object {
  const times = instants.flatMap((name) => {
    const at = view[name];
    return at === undefined ? [] : [[name, isoTime(at)] as const];
  });
  return { ...view, ...Object.fromEntries(times) };
}

export async function writeKeys(terminal: Terminal, views: readonly KeyView[]): Promise<void> {
  const rows = views.map(({ id, name, environment, status, scopes, expiresAt, lastUsedAt }) => [
    id,
    name,
    environment,
    status,
    scopes.join(" "),
    expiresAt === undefined ? "never" : isoTime(expiresAt),
    lastUsedAt === undefined ? "never" : isoTime(lastUsedAt),
  ]);
  const headings = ["ID", "NAME", "ENVIRONMENT", "STATUS", "SCOPES", "EXPIRES", "LAST USED"];
  await writeTable(terminal, headings, rows);
}

/** A fresh key. Text has the secret alone on stdout, so that `KEY=$(petstore keys create …)` works. */
export async function writeIssued(
  terminal: Terminal,
  { view, token }: IssuedKey,
  json: boolean,
): Promise<void> {
  if (json) {
    const { id, ...rest } = { id: view.id, ...keyJson(view) };
    await writeJson(terminal, { id, key: token, ...rest });
    return;
  }
  const until = view.expiresAt === undefined ? "" : `, until ${isoTime(view.expiresAt)}`;
  terminal.err(`Key ${view.id} for ${view.environment}${until}. It is shown this once:\n`);
  await terminal.out(`${token}\n`);
}

export function writeKey(terminal: Terminal, view: KeyView, json: boolean): Promise<void> {
  return json ? writeJson(terminal, keyJson(view)) : writeKeys(terminal, [view]);
}
