import { silentLog } from "../lib/base/log.ts";
import type { LocalClient } from "../lib/index.ts";
import type { Context } from "./command.ts";
import { dataDirectory } from "./data-directory.ts";
import { Failure } from "./exit.ts";
import { openOwn, type Own, type Taken } from "./own.ts";
import { loadSettings } from "./settings.ts";
import { connect } from "./socket-client.ts";
import { codeOf } from "./system-error.ts";

/** The service in a data directory, whether a server runs on it or not. */
interface Installation {
  readonly client: LocalClient;
  close(): Promise<void>;
}

interface InstallationFlags {
  readonly "data-dir": string | undefined;
  readonly config: string | undefined;
}

/** Uses the installation that the flags name, and closes it whatever happens. */
export async function withInstallation<Value>(
  flags: InstallationFlags,
  context: Context,
  use: (client: LocalClient) => Promise<Value>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<Value> {
  const { environment, clock, composition, version } = context;
  const { "data-dir": dataDir, config } = flags;
  const { settings } = await loadSettings({ flags: { "data-dir": dataDir, config }, environment });
  const directory = dataDirectory(settings.dataDir);
  const { encryptionKey } = settings;
  const own = await openOwn({ directory, encryptionKey, create, clock, composition }).catch(denied);
  const installation =
    "store" in own ? locally(own, context) : await connect(directory.socket, version);
  if (installation === undefined) throw busy(directory.path, own);
  try {
    return await use(installation.client);
  } finally {
    await installation.close();
  }
}

function locally({ store, encryptionKey, close }: Own, { composition }: Context): Installation {
  const servers = { production: "/v1", staging: "/v1" };
  const { production, staging } = composition.createPetstores({
    store,
    encryptionKey,
    servers,
    log: silentLog,
  });
  return {
    client: production.client,
    close: async () => {
      await Promise.all([production.close(), staging.close()]);
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
