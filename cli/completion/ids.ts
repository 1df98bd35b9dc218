import type { PetstoreClient } from "../../domains/operations.ts";
import { SECOND_MS } from "../../lib/base/clock.ts";
import { dataDirectory } from "../../server/data/data-directory.ts";
import { connect } from "../../server/listeners/socket.ts";
import { must } from "../../settings/failure.ts";
import { environmentName } from "../../settings/option.ts";
import { settingsFor } from "../client.ts";
import type { Context } from "../command.ts";
import { idKinds, type IdKind } from "./words.ts";

/** The first argument with which a completion script starts the program. */
export const IDS_PROCESS = "--completion-ids";

/** A shell waits this long for a value, while a person waits for the shell. */
const LONGEST_MS: number = 2 * SECOND_MS;
/** The most values that a shell offers. */
const MOST = 200;
/** Longest description, in characters. */
const SHOWN = 60;

interface Value {
  readonly typed: string;
  readonly known: string;
}

const listed: Readonly<Record<IdKind, (client: PetstoreClient) => Promise<readonly Value[]>>> = {
  accounts: async ({ call }) =>
    must(await call("GET /accounts", { query: { limit: MOST } })).map(({ id, name }) => ({
      typed: id,
      known: name,
    })),
  projects: async ({ call }) =>
    must(await call("GET /projects", { query: { limit: MOST } })).map(({ slug, name }) => ({
      typed: slug,
      known: name,
    })),
  domains: async ({ call }) =>
    must(await call("GET /domains", { query: { limit: MOST } })).map(({ domain, project }) => ({
      typed: domain,
      known: project,
    })),
};

/**
 * Writes what completes a value of the kind `args` begin with, one per line, with its name behind a tab. The other `args`
 * are the words of the line. Asks only a server that runs on this machine, never opens a data directory and never sends a
 * token: then, and when anything fails, it writes nothing.
 */
export async function completionIds(args: readonly string[], context: Context): Promise<void> {
  const [first, ...line] = args;
  const kind = idKinds.find((one) => one === first);
  const words = line.flatMap((word) => word.split(/\s+/));
  const elsewhere =
    words.some((word) => /^--server(=|$)/.test(word)) ||
    (context.environment[environmentName("server")] ?? "") !== "";
  if (kind === undefined || elsewhere) return;
  let waiting = true;
  AbortSignal.timeout(LONGEST_MS).addEventListener("abort", () => {
    if (waiting) process.exit();
  });
  const values = await valuesOf(kind, words, context).catch(() => []);
  waiting = false;
  // Only what no shell expands.
  const safe = values.filter(({ typed }) => /^[\w.-]+$/.test(typed)).slice(0, MOST);
  await context.terminal.out(
    safe.map(({ typed, known }) => `${typed}\t${plain(known)}\n`).join(""),
  );
}

async function valuesOf(
  kind: IdKind,
  words: readonly string[],
  context: Context,
): Promise<readonly Value[]> {
  const { settings } = await settingsFor(
    {
      "data-dir": valueIn(words, "--data-dir"),
      config: valueIn(words, "--config"),
      server: undefined,
      "token-file": undefined,
    },
    context,
  );
  const { socket } = dataDirectory(settings.dataDir);
  const connection = await connect(socket, context.version);
  if (connection === undefined) return [];
  try {
    return await listed[kind](connection.client);
  } finally {
    await connection.close();
  }
}

function valueIn(words: readonly string[], flag: string): string | undefined {
  const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const word = words[at];
  if (word === undefined) return undefined;
  return word === flag ? words[at + 1] : word.slice(flag.length + 1);
}

function plain(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, SHOWN);
}
