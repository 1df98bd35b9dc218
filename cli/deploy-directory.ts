import type { ManagementClient } from "../lib/management/index.ts";
import type { Deploy } from "../lib/publishing/index.ts";
import type { Context } from "./command.ts";
import { must } from "../settings/failure.ts";
import { createProgress } from "./progress.ts";
import type { SiteDirectory } from "./site-directory.ts";
import { upload } from "./upload.ts";

interface Sending {
  readonly client: ManagementClient;
  readonly project: string;
  readonly directory: string;
  readonly site: SiteDirectory;
  readonly options: { readonly message?: string; readonly activate?: boolean };
  readonly context: Pick<Context, "terminal" | "clock">;
}

export interface Sent {
  readonly made: Deploy;
  /** Bytes that went over the line. */
  readonly sent: number;
}

/** Sends the directory, and shows how far it has come: first what is read, then what the service makes of it. */
export async function deployDirectory(sending: Sending): Promise<Sent> {
  const { client, project, directory, site, options, context } = sending;
  const progress = createProgress(context.terminal, context.clock, "files");
  const total = site.files.length;
  let allRead = false;
  const sent = upload(directory, site, (files, bytes) => {
    allRead = bytes >= site.bytes;
    progress.show(files, site.bytes === 0 ? undefined : bytes / site.bytes);
  });
  try {
    const made = await client.deploys.create(project, {
      ...options,
      archive: sent.archive,
      onProgress: ({ files, state }) => {
        if (!allRead || state === "live") return;
        progress.say(`processing, ${files.toLocaleString("en")} of ${total.toLocaleString("en")}`);
      },
    });
    // Whoever received half of it can only say that it was half.
    if (!made.ok && sent.failure !== undefined) throw sent.failure;
    return { made: must(made), sent: sent.sent };
  } catch (error) {
    throw sent.failure ?? error;
  } finally {
    progress.clear();
  }
}
