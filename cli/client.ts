import type { PetstoreClient, PetstoreOperations } from "../domains/operations.ts";
import { managementClient, UnexpectedAnswer } from "../lib/management/index.ts";
import { composeService } from "../server/compose.ts";
import { nameOf } from "../server/data/database.ts";
import { dataDirectory } from "../server/data/data-directory.ts";
import { domainPartsOf } from "../server/domain-parts.ts";
import { openInstallation, type Holder } from "../server/data/installation.ts";
import { createLog } from "../server/process/log.ts";
import { connect, type Connection } from "../server/listeners/socket.ts";
import { codeOf, Failure } from "../settings/failure.ts";
import { loadSettings, type LoadedSettings } from "../settings/load.ts";
import { environmentName } from "../settings/option.ts";
import type { Context } from "./command.ts";
import { namingMissing } from "./missing.ts";
import { remoteSend, serverAddress, unexpected } from "./remote.ts";
import { checkedToken, readTokenFile } from "./token-file.ts";

/** The service that a command is for: the one in a data directory of this machine, or a server elsewhere. */
export type Destination =
  | { readonly kind: "installation" }
  | {
      readonly kind: "remote";
      /** The address without a slash at its end: `https://pets.example.org`. */
      readonly server: string;
      readonly token: TokenSource | undefined;
    };

type TokenSource =
  | { readonly kind: "file"; readonly path: string }
  /** A secret. */
  | { readonly kind: "given"; readonly token: string };

export interface DestinationFlags {
  readonly "data-dir": string | undefined;
  readonly config: string | undefined;
  readonly server: string | undefined;
  readonly "token-file": string | undefined;
}

/** Combines flags and environment; flags win. Fails if they contradict each other. */
export function destination(
  flags: DestinationFlags,
  environment: Context["environment"],
): Destination {
  const { "data-dir": dataDir, config, server: typed, "token-file": tokenFile } = flags;
  const here = dataDir !== undefined || config !== undefined;
  if (typed !== undefined && here) {
    const other = dataDir === undefined ? "--config" : "--data-dir";
    throw new Failure(
      "usage",
      `--server and ${other} cannot be combined: --server means a remote server, ${other} an installation on this machine.`,
    );
  }
  const written = typed ?? (here ? undefined : variable(environment, "server"));
  if (written === undefined) {
    if (tokenFile === undefined) return { kind: "installation" };
    throw new Failure(
      "usage",
      "--token-file needs --server: access to the data directory needs no token.",
    );
  }
  const server = serverAddress(written);
  if (!server.ok) {
    throw typed === undefined
      ? new Failure("configuration", `${environmentName("server")} ${server.failure}.`)
      : new Failure("usage", `--server ${server.failure}.`);
  }
  return { kind: "remote", server: server.value, token: tokenSource(tokenFile, environment) };
}

function tokenSource(
  typed: string | undefined,
  environment: Context["environment"],
): TokenSource | undefined {
  if (typed !== undefined) return { kind: "file", path: typed };
  const token = variable(environment, "token");
  const path = variable(environment, "token-file");
  if (token !== undefined && path !== undefined) {
    throw new Failure("configuration", "Set PETSTORE_TOKEN or PETSTORE_TOKEN_FILE, not both.");
  }
  if (token !== undefined) return { kind: "given", token };
  return path === undefined ? undefined : { kind: "file", path };
}

function variable(environment: Context["environment"], name: string): string | undefined {
  const given = environment[environmentName(name)];
  return given === "" ? undefined : given;
}

/** Loads the settings of the installation that the flags name. */
export function settingsFor(
  { "data-dir": dataDir, config }: DestinationFlags,
  { environment }: Context,
): Promise<LoadedSettings> {
  return loadSettings({ flags: { "data-dir": dataDir, config }, environment });
}

/**
 * Calls the service that flags and environment name: a server elsewhere, the server of a data directory, or, if none
 * runs, the directory itself, opened for the duration of the call.
 */
export async function withClient<Value>(
  flags: DestinationFlags,
  context: Context,
  use: (client: PetstoreClient) => Promise<Value>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<Value> {
  const where = destination(flags, context.environment);
  if (where.kind === "remote") return remotely(where, context, use);
  const connection = await open(flags, context, create);
  try {
    return await use(namingMissing(connection.client));
  } finally {
    await connection.close();
  }
}

async function remotely<Value>(
  { server, token: source }: Extract<Destination, { kind: "remote" }>,
  { clock, terminal }: Context,
  use: (client: PetstoreClient) => Promise<Value>,
): Promise<Value> {
  if (source === undefined) {
    throw new Failure(
      "configuration",
      `${server} needs a management token. Pass --token-file, or set PETSTORE_TOKEN. \`petstore tokens create\` and \`petstore tokens claim\` create a token.`,
    );
  }
  const token =
    source.kind === "file"
      ? await readTokenFile(source.path)
      : checkedToken(source.token.trim(), "PETSTORE_TOKEN");
  if (!isPrivate(server)) {
    terminal.err(`Warning: the token is sent to ${server} unencrypted. Use https:// if you can.\n`);
  }
  const send = remoteSend({ server, token, clock });
  try {
    const client = managementClient<PetstoreOperations>({ send, base: `${server}/manage/v1` });
    return await use(namingMissing(client));
  } catch (error) {
    throw error instanceof UnexpectedAnswer ? unexpected(server, error) : error;
  }
}

/** Whether requests are encrypted, or stay on this machine. */
function isPrivate(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "https:" || /^(?:localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname);
}

async function open(
  flags: DestinationFlags,
  context: Context,
  create: boolean,
): Promise<Connection> {
  const { clock, version, terminal } = context;
  const loaded = await settingsFor(flags, context);
  const { settings } = loaded;
  const directory = dataDirectory(settings.dataDir);
  const installation = await openInstallation({
    directory,
    settings,
    create,
    onCopy: (copy) => terminal.err(`The database was copied to ${copy} before its upgrade.\n`),
    clock,
  }).catch(denied);
  if (!("storage" in installation)) {
    const connection = await connect(directory.socket, version);
    if (connection === undefined) throw busy(directory.path, installation);
    return connection;
  }
  if (installation.made) {
    // Reveals a mistyped --data-dir or --database-url.
    const place =
      settings.databaseUrl === undefined ? directory.path : nameOf({ settings, directory });
    terminal.err(`Created an installation in ${place}.\n`);
  }
  try {
    const { storage, encryptionKey } = installation;
    const authorityOptions = {
      settings,
      directory,
      encryptionKey,
      runtime: context,
      store: storage.store,
      shared: storage.nodes !== undefined,
    };
    const service = composeService(storage, {
      loaded,
      directory,
      runtime: context,
      encryptionKey,
      domainParts: await domainPartsOf(authorityOptions),
      log: createLog({ format: "text", level: "error", style: terminal.style }),
    });
    return {
      client: service.client,
      close: async () => {
        await service.close();
        await installation.close();
      },
    };
  } catch (error) {
    await installation.close();
    throw error;
  }
}

/** For a server, another user's directory is a wrong option; for a command it is a refusal. */
function denied(error: unknown): never {
  const code = error instanceof Failure ? codeOf(error.cause) : undefined;
  if (error instanceof Failure && (code === "EACCES" || code === "EPERM")) {
    throw new Failure("denied", error.message, { cause: error.cause });
  }
  throw error;
}

export function busy(path: string, holder: Holder): Failure {
  const who =
    "pid" in holder && holder.pid !== undefined ? `process ${holder.pid}` : "another process";
  return new Failure("tryLater", `${path} is in use by ${who}. Try again when it has finished.`);
}
