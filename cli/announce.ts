import type { Log } from "../lib/index.ts";
import type { Context } from "./command.ts";
import type { DataDirectory } from "./data-directory.ts";
import { firstCommands, firstSteps, welcome } from "./first-start.ts";
import { options, type Settings } from "./options.ts";
import type { Server } from "./server.ts";
import { shellWord } from "./shell.ts";

interface Announcement {
  readonly server: Server;
  readonly settings: Settings;
  readonly directory: DataDirectory;
  readonly context: Context;
  readonly log: Log;
}

/** Says where the service can be reached: to the person at the terminal, else to the log. */
export async function announce(announcement: Announcement): Promise<void> {
  const { server, settings, directory, context, log } = announcement;
  const { addresses, servers, client } = server;
  const { terminal, program, version } = context;
  const where =
    settings.dataDir === options.dataDir.fallback ? "" : ` --data-dir ${shellWord(directory.path)}`;

  if (!terminal.outIsTerminal) {
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
    // A key would stay in the log: nobody is given one here.
    if ((await client.accounts.list()).length > 0) return;
    const [first, second] = firstCommands({ program, where });
    log.info(`there is no account yet; type: ${first}`);
    log.info(`and with the id that it prints: ${second}`);
    return;
  }

  const staging = addresses.staging === undefined ? servers.staging : `${addresses.staging}/v1`;
  const rows = [
    ["Production", `${addresses.production}/v1`],
    ["Staging", staging],
    ...(addresses.https === undefined ? [] : [["HTTPS", addresses.https]]),
    ...(addresses.metrics === undefined ? [] : [["Metrics", `${addresses.metrics}/metrics`]]),
    ["Data", directory.path],
  ];
  const lines = rows.map(([name = "", value]) => `  ${name.padEnd(10)}  ${value}\n`);
  await terminal.out(`\n  Petstore ${version}, ended by Ctrl-C\n\n${lines.join("")}`);
  const made = await welcome(client);
  const guide = { program, staging, where, addressOf: server.addressOf };
  await terminal.out(made === undefined ? "\n" : firstSteps(made, guide));
}
