import type { Log } from "../../lib/index.ts";
import { announce } from "../announce.ts";
import { command, type Context } from "../command.ts";
import { dataDirectory, type DataDirectory } from "../../server/data-directory.ts";
import { Failure } from "../../settings/failure.ts";
import { createLog } from "../../server/log.ts";
import type { Settings } from "../../settings/options.ts";
import { writeJson } from "../output.ts";
import { openInstallation, type Installation } from "../../server/installation.ts";
import { serveFlags } from "../serve-flags.ts";
import { startServer } from "../../server/start.ts";
import { loadSettings } from "../../settings/load.ts";
import { stopSignals } from "../signals.ts";
import { serverStatus } from "../../server/socket.ts";
import type { Terminal } from "../terminal.ts";

export const serve = command({
  path: "serve",
  summary: "Run the service until it is told to stop (SIGTERM, Ctrl-C)",
  details:
    "On a terminal the first start makes an account with a key to begin with, and a link to sign up; elsewhere it makes nothing.",
  operands: {},
  flags: serveFlags,
  examples: [
    "serve",
    "serve --data-dir /var/lib/petstore --listen :8080",
    "serve --base-domain pets.example.org --trusted-proxies 10.0.0.0/8 --public-http-port 80",
  ],
  run: async ({ flags, context }) => {
    const { json, ...typed } = flags;
    const { environment, terminal, version, clock } = context;
    using signals = stopSignals(clock);
    const loaded = await loadSettings({ flags: typed, environment });
    const { settings } = loaded;
    const log = logOf(settings, terminal);
    const directory = dataDirectory(settings.dataDir);
    const installation = await openServed(directory, settings, { ...context, log });
    const server = await startServer({ loaded, directory, installation, runtime: context, log });
    if (json) {
      const { addresses, servers } = server;
      const { path } = directory;
      await writeJson(terminal, { version, pid: process.pid, dataDir: path, addresses, servers });
    } else await announce({ server, settings, directory, context, log });
    const signal = await signals.first;
    log.info("stopping", { signal });
    await server.stop();
    log.info("stopped");
    return "done";
  },
});

function logOf({ logFormat, logLevel }: Settings, { errIsTerminal, style }: Terminal): Log {
  const auto = errIsTerminal ? "text" : "json";
  return createLog({ format: logFormat === "auto" ? auto : logFormat, level: logLevel, style });
}

/** The directory, that no other server has. */
async function openServed(
  directory: DataDirectory,
  { encryptionKey }: Settings,
  { clock, log }: Context & { readonly log: Log },
): Promise<Installation> {
  const own = await openInstallation({
    directory,
    encryptionKey,
    create: true,
    writable: true,
    onCopy: (copy) => log.info("the database was copied before its upgrade", { copy }),
    clock,
  });
  if ("storage" in own) return own;
  const pid = own.by === "server" ? (await serverStatus(directory.socket))?.pid : own.pid;
  const who = own.by === "server" ? "A server already runs" : "A command is at work";
  throw new Failure(
    "configuration",
    `${who} on ${directory.path}${pid === undefined ? "" : ` (process ${pid})`}. Stop it first, or name another --data-dir.`,
  );
}
