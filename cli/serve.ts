import { readableMinute, shellWord } from "../lib/base/readable.ts";

import type { Clock, Log } from "../lib/index.ts";
import { dataDirectory, type DataDirectory } from "../server/data/data-directory.ts";
import { openInstallation, type Installation } from "../server/data/installation.ts";
import { limitEnding } from "../server/process/limited-ending.ts";
import { createLog, errorLineAt, type LogOptions } from "../server/process/log.ts";
import { serverStatus } from "../server/listeners/socket.ts";
import { startServer, type Server } from "../server/start.ts";
import { createWatchdog, type Watchdog } from "../server/process/watchdog.ts";
import { exitCodes, Failure, must } from "../settings/failure.ts";
import { loadSettings } from "../settings/load.ts";
import { options, type Settings } from "../settings/options.ts";
import { command, type Command, type Context } from "./command.ts";
import { serveFlags } from "./operation.ts";
import { writeJson } from "./output.ts";
import { stopSignals } from "./stop-signals.ts";
import type { Terminal } from "./terminal.ts";

export const serve: Command = command({
  path: "serve",
  summary: "Run the service until SIGTERM or Ctrl-C",
  details:
    "On a terminal, the first start creates an account with a key, and prints a setup link for the first operator. Without a terminal it does neither.",
  flags: serveFlags,
  examples: [
    "serve",
    "serve --data-dir /var/lib/petstore --listen :8080",
    "serve --base-domain pets.example.org --trusted-proxies 10.0.0.0/8 --public-http-port 80",
  ],
  run: async ({ flags, context }) => {
    const { json, ...typed } = flags;
    const { environment, terminal, version, clock, program, programShown, quiet = false } = context;
    using signals = stopSignals(clock);
    const loaded = await loadSettings({ flags: typed, environment });
    const { settings } = loaded;
    const logged = logOptionsOf(settings, terminal);
    const format: LogOptions = quiet ? { ...logged, level: "error" } : logged;
    const log = createLog(format);
    const watchdog = createWatchdog({
      limitMs: settings.watchdog,
      lineAt: (time, message) => errorLineAt(time, message, format),
      log,
    });
    const defects = watchDefects(log);
    using ending = limitEnding({ log });
    void signals.first.then(() => ending.begin());
    const directory = dataDirectory(settings.dataDir);
    const installation = await openServed(directory, settings, { clock, log, watchdog });
    const { fallback } = options.dataDir;
    const where = settings.dataDir === fallback ? "" : ` --data-dir ${shellWord(directory.path)}`;
    const server = await startServer({
      ...{ loaded, directory, installation, log, watchdog },
      runtime: context,
      typed: (what) => `${program} ${what}${where}`,
      programShown,
    });
    watchdog.arm();
    if (json) {
      const { addresses, servers } = server;
      const { path } = directory;
      await writeJson(terminal, { version, pid: process.pid, dataDir: path, addresses, servers });
    } else if (!quiet) {
      if (terminal.outIsTerminal) await welcome(server, directory, { context, where });
      else await logStart(server, log, { context, where });
    }
    const signal = await signals.first;
    log.info("stopping", { signal });
    await server.stop();
    log.info("stopped");
    return defects.seen ? "failed" : "done";
  },
});

/** Logs errors and rejections that nothing handled. They are defects: the server serves on, but does not exit with 0. */
function watchDefects(log: Log): { readonly seen: boolean } {
  let seen = false;
  const report = (reason: unknown): void => {
    seen = true;
    // For one after the end of the command.
    process.exitCode = exitCodes.failed;
    log.error("an error occurred, and nothing handled it", reason);
  };
  for (const event of ["unhandledRejection", "uncaughtException"]) process.on(event, report);
  return {
    get seen() {
      return seen;
    },
  };
}

function logOptionsOf(
  { logFormat, logLevel }: Settings,
  { errIsTerminal, style }: Terminal,
): LogOptions {
  const auto = errIsTerminal ? "text" : "json";
  return { format: logFormat === "auto" ? auto : logFormat, level: logLevel, style };
}

interface ServedContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly watchdog: Watchdog;
}

async function openServed(
  directory: DataDirectory,
  settings: Settings,
  { clock, log, watchdog }: ServedContext,
): Promise<Installation> {
  const opened = await openInstallation({
    directory,
    settings,
    create: true,
    writable: true,
    onCopy: (copy) => log.info("the database was copied before its upgrade", { copy }),
    longStep: watchdog.longStep,
    clock,
  });
  if ("storage" in opened) return opened;
  const pid = opened.by === "server" ? (await serverStatus(directory.socket))?.pid : opened.pid;
  const who = opened.by === "server" ? "A server already uses" : "A command is using";
  throw new Failure(
    "configuration",
    `${who} ${directory.path}${pid === undefined ? "" : ` (process ${pid})`}. Stop it first, or pass another --data-dir.`,
  );
}

const DAY_MS = 86_400_000;
const NAME = "My shelter";
const SLUG = "my-shelter";

interface Guide {
  readonly context: Context;
  /** ` --data-dir …` if commands need it to find the installation; else empty. */
  readonly where: string;
}

/** Logs the addresses and the first commands. Writes no secret, because logs are kept. */
async function logStart(
  server: Server,
  log: Log,
  { context: { program, version }, where }: Guide,
): Promise<void> {
  const { addresses, client } = server;
  log.info(`listening on ${addresses.production}`, { environment: "production", version });
  const more = {
    staging: addresses.staging,
    production: addresses.https,
    metrics: addresses.metrics,
  };
  for (const [environment, address] of Object.entries(more)) {
    if (address !== undefined) log.info(`listening on ${address}`, { environment });
  }
  if (!(await server.peopleCanSignIn())) {
    const how = `${program} setup-link${where}`;
    log.info(`no member can sign in at ${server.dashboard} yet; to create a link, run: ${how}`);
  }
  if ((await client.accounts.list()).length > 0) return;
  log.info(`no accounts exist; to create one, run: ${program} accounts create "${NAME}"${where}`);
  log.info(
    `then, with its ID: ${program} keys create --account ACCOUNT --environment staging${where}`,
  );
}

/** Prints the addresses, and on the first start a link to sign up and a key to try. */
async function welcome(
  server: Server,
  directory: DataDirectory,
  { context: { terminal, program, version }, where }: Guide,
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
  await terminal.out(`\n  Petstore ${version}. Press Ctrl-C to stop.\n\n${lines.join("")}`);
  const link = await server.firstLink();
  if (link !== undefined) {
    await terminal.out(`
  No member can sign in yet. This link makes you the first operator; it works once, until ${readableMinute(link.expiresAt)}:

  ${link.url}

  To create another one: ${program} setup-link${where}
`);
  }
  if ((await client.accounts.list()).length > 0) {
    await terminal.out("\n");
    return;
  }
  const { id } = must(await client.accounts.create({ name: NAME, plan: "free" }));
  const first = { environment: "staging", name: "First steps", expiresInMs: DAY_MS } as const;
  const { token } = must(await client.keys.create({ accountId: id, ...first }));
  const bearer = `-H 'Authorization: Bearer ${token}'`;
  await terminal.out(`
  This is the first start: Petstore created the account ${NAME} (${id}, plan Free)
  and a key for Staging that works for 24 hours. Add an animal, and list it:

  curl ${bearer} -H 'Content-Type: application/json' -d '{"name":"Rex","categoryId":1}' ${staging}/pets
  curl ${bearer} ${staging}/pets

  A key for Production: ${program} keys create --account ${id}${where}

  A site for the animals of Production, at ${server.addressOf(SLUG)}:

  ${program} projects create "${NAME}" --slug ${SLUG} --account ${id}${where}
  ${program} deploy --starter --project ${SLUG}${where}
`);
}
