import { existsSync } from "node:fs";

import type { ManagementClient } from "../lib/management/index.ts";
import { withTransientService } from "../server/compose.ts";
import { dataDirectory } from "../server/data-directory.ts";
import { destination, settingsFor, withClient, type DestinationFlags } from "./client.ts";
import type { Context } from "./command.ts";

type Explained = Awaited<ReturnType<ManagementClient["domains"]["explain"]>>;

/** Checks a name by the service that the flags name, or in this process if no installation exists. */
export async function explainSomewhere(
  domain: string,
  flags: DestinationFlags,
  context: Context,
): Promise<Explained> {
  if (destination(flags, context.environment).kind === "installation") {
    const loaded = await settingsFor(flags, context);
    if (!existsSync(dataDirectory(loaded.settings.dataDir).database)) {
      return withTransientService(loaded, context, ({ client }) => client.domains.explain(domain));
    }
  }
  return withClient(flags, context, ({ domains }) => domains.explain(domain));
}
