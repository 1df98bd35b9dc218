import { local, managementClient, UnexpectedAnswer } from "../lib/management/index.ts";
import type { ManagementClient } from "../lib/management/index.ts";
import type { Context } from "./command.ts";
import { dataDirectory } from "./data-directory.ts";
import type { Parts } from "./composition.ts";
import { customParts } from "./domain-parts.ts";
import { destination, type Destination, type DestinationFlags } from "./destination.ts";
import { Failure } from "./exit.ts";
import { createLog } from "./log.ts";
import type { Settings } from "./options.ts";
import { openOwn, type Own, type Taken } from "./own.ts";
import { baseAddress, publicServers, reservedSlugs, siteAddress } from "./public-address.ts";
import { remoteSend, unexpected } from "./remote.ts";
import { loadSettings } from "./settings.ts";
import { connect } from "./socket-client.ts";
import { systemOf } from "./system/parts.ts";
import { codeOf } from "./system-error.ts";
import { checkedToken, readTokenFile } from "./token-file.ts";

/** A service that does what a command asks. */
interface Connection {
  readonly client: ManagementClient;
  close(): Promise<void>;
}

/**
 * Speaks to the service that flags and environment name: one that runs elsewhere, the server of a data directory, or
 * where none runs the directory itself, opened for as long as it takes.
 */
export async function withClient<Value>(
  flags: DestinationFlags,
  context: Context,
  use: (client: ManagementClient) => Promise<Value>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<Value> {
  const where = destination(flags, context.environment);
  if (where.kind === "remote") return remotely(where, context, use);
  const connection = await open(flags, context, create);
  try {
    return await use(connection.client);
  } finally {
    await connection.close();
  }
}

async function remotely<Value>(
  { server, token: source }: Extract<Destination, { kind: "remote" }>,
  { clock, terminal }: Context,
  use: (client: ManagementClient) => Promise<Value>,
): Promise<Value> {
  if (source === undefined) {
    throw new Failure(
      "configuration",
      `${server} wants a management token: name the file that holds one with --token-file, or set PETSTORE_TOKEN. \`petstore tokens create\` and \`petstore tokens claim\` make one.`,
    );
  }
  const token =
    source.kind === "file"
      ? await readTokenFile(source.path)
      : checkedToken(source.token.trim(), "PETSTORE_TOKEN");
  if (!isPrivate(server)) {
    terminal.err(
      `The token goes to ${server} without encryption: use https:// if it can be had.\n`,
    );
  }
  const send = remoteSend({ server, token, clock });
  try {
    return await use(managementClient({ send, base: `${server}/manage/v1` }));
  } catch (error) {
    throw error instanceof UnexpectedAnswer ? unexpected(server, error) : error;
  }
}

/** Nobody on the way can read it. */
function isPrivate(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "https:" || /^(?:localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname);
}

async function open(
  { "data-dir": dataDir, config }: DestinationFlags,
  context: Context,
  create: boolean,
): Promise<Connection> {
  const { environment, clock, composition, version, terminal } = context;
  const loaded = await loadSettings({ flags: { "data-dir": dataDir, config }, environment });
  const { settings } = loaded;
  const directory = dataDirectory(settings.dataDir);
  const { encryptionKey } = settings;
  const own = await openOwn({
    directory,
    encryptionKey,
    create,
    onCopy: (copy) => terminal.err(`The database was copied to ${copy} before its upgrade.\n`),
    clock,
    composition,
  }).catch(denied);
  if ("storage" in own) {
    // A mistyped --data-dir is noticed here.
    if (own.made) terminal.err(`Made a new installation in ${directory.path}.\n`);
    try {
      const { encryptionKey: key } = own;
      const custom = await customParts({ settings, directory, encryptionKey: key, clock, version });
      const system = systemOf({ loaded, directory, context, encryptionKey: key, custom });
      return locally(own, { settings, custom, system }, context);
    } catch (error) {
      await own.close();
      throw error;
    }
  }
  const connection = await connect(directory.socket, version);
  if (connection === undefined) throw busy(directory.path, own);
  return connection;
}

function locally(
  { storage, encryptionKey, close }: Own,
  { settings, custom, system }: Pick<Parts, "custom" | "system"> & { readonly settings: Settings },
  { terminal }: Context,
): Connection {
  const service = storage.createService({
    store: storage.store,
    encryptionKey,
    servers: publicServers(settings),
    addressOf: siteAddress(settings),
    reserved: reservedSlugs(settings),
    setupAddress: `${baseAddress(settings)}/setup`,
    custom,
    system,
    log: createLog({ format: "text", level: "error", style: terminal.style }),
  });
  const { petstores, publishing, management } = service;
  return {
    client: managementClient({
      send: async (request) => management.fetch(request, { principal: local }),
    }),
    close: async () => {
      await management.close();
      await service.members.close();
      await service.custom.close();
      await publishing.close();
      await Promise.all([petstores.production.close(), petstores.staging.close()]);
      await close();
    },
  };
}

/** To a server a directory of somebody else's is a wrong option; to a command it is a closed door. */
function denied(error: unknown): never {
  const code = error instanceof Failure ? codeOf(error.cause) : undefined;
  if (error instanceof Failure && (code === "EACCES" || code === "EPERM")) {
    throw new Failure("denied", error.message, { cause: error.cause });
  }
  throw error;
}

function busy(path: string, taken: Own | Taken): Failure {
  const who =
    "pid" in taken && taken.pid !== undefined ? `process ${taken.pid}` : "another process";
  return new Failure("tryLater", `${path} is in use by ${who}. Try again when it is done.`);
}
