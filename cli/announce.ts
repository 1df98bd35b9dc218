import { isoTime } from "../lib/base/clock.ts";
import type { Log } from "../lib/index.ts";
import type { Context } from "./command.ts";
import type { DataDirectory } from "../server/data-directory.ts";
import type { FirstLink } from "../server/first-operator.ts";
import { firstCommands, firstSteps, linkCommand, welcome } from "./first-start.ts";
import { options, type Settings } from "../settings/options.ts";
import type { Server } from "../server/start.ts";
import { shellWord } from "./terminal.ts";

interface Announcement {
  readonly server: Server;
  readonly settings: Settings;
  readonly directory: DataDirectory;
  readonly context: Context;
  readonly log: Log;
}

/** Says where the service can be reached: to the person at the terminal, else to the log. */
export async function announce(announcement: Announcement): Promise<void> {
  const { settings, directory, context } = announcement;
  const where =
    settings.dataDir === options.dataDir.fallback ? "" : ` --data-dir ${shellWord(directory.path)}`;
  await (context.terminal.outIsTerminal ? welcomeSomebody : leaveWord)(announcement, where);
}

/** `where` is what commands need to find the directory. No secret may be said: it would stay in the log. */
async function leaveWord(
  { server, context: { program, version }, log }: Announcement,
  where: string,
): Promise<void> {
  const { addresses, client } = server;
  log.info(`listening on ${addresses.production}`, { environment: "production", version });
  if (addresses.staging !== undefined) {
    log.info(`listening on ${addresses.staging}`, { environment: "staging" });
  }
  if (addresses.https !== undefined) {
    log.info(`listening on ${addresses.https}`, { environment: "production" });
  }
  if (addresses.metrics !== undefined) {
    log.info(`listening on ${addresses.metrics}`, { environment: "metrics" });
  }
  if (!(await server.peopleCanSignIn())) {
    const link = linkCommand({ program, where });
    log.info(`nobody can sign in yet at ${server.dashboard}; for a link type: ${link}`);
  }
  if ((await client.accounts.list()).length > 0) return;
  const [first, second] = firstCommands({ program, where });
  log.info(`there is no account yet; type: ${first}`);
  log.info(`and with the id that it prints: ${second}`);
}

async function welcomeSomebody(
  { server, directory, context: { terminal, program, version } }: Announcement,
  where: string,
): Promise<void> {
  const { addresses, servers, client } = server;
  const staging = addresses.staging === undefined ? servers.staging : `${addresses.staging}/v1`;
  const rows = [
    ["Dashboard", server.dashboard],
    ["Production", `${addresses.production}/v1`],
    ["Staging", staging],
    ...(addresses.https === undefined ? [] : [["HTTPS", addresses.https]]),
    ...(addresses.metrics === undefined ? [] : [["Metrics", `${addresses.metrics}/metrics`]]),
    ["Data", directory.path],
  ];
  const lines = rows.map(([name = "", value]) => `  ${name.padEnd(10)}  ${value}\n`);
  await terminal.out(`\n  Petstore ${version}, ended by Ctrl-C\n\n${lines.join("")}`);
  const link = await server.firstLink();
  if (link !== undefined) await terminal.out(invitation(link, linkCommand({ program, where })));
  const made = await welcome(client);
  const guide = { program, staging, where, addressOf: server.addressOf };
  await terminal.out(made === undefined ? "\n" : firstSteps(made, guide));
}

function invitation({ url, expiresAt }: FirstLink, again: string): string {
  return `
  Nobody can sign in yet. This link makes you the first; it is good once, until ${isoTime(expiresAt)}:

  ${url}

  Another one, later: ${again}
`;
}
