import { run } from "./child.ts";
import { program } from "./program.ts";

/** A project of an account that is on Pro. */
export interface Published {
  readonly accountId: string;
  readonly projectId: string;
  readonly slug: string;
}

/** Publishes a directory as anybody would, from a data directory, which is made if it is not there. */
export async function publish(site: string, dataDir: string): Promise<Published> {
  const petstore = async (...args: string[]): Promise<Readonly<Record<string, string>>> =>
    JSON.parse(await run([...program, ...args, `--data-dir=${dataDir}`, "--json"])) as Readonly<
      Record<string, string>
    >;
  const { id: accountId = "" } = await petstore("accounts", "create", "Sites", "--plan=pro");
  const { id: projectId = "", slug = "" } = await petstore(
    "projects",
    "create",
    "Bench",
    `--account=${accountId}`,
  );
  await run([...program, "deploy", site, `--project=${slug}`, `--data-dir=${dataDir}`, "--json"]);
  return { accountId, projectId, slug };
}
