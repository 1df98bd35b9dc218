import { run } from "./child.ts";
import { program } from "./program.ts";

/** A project of an account on the Pro plan. */
export interface Published {
  readonly accountId: string;
  readonly projectId: string;
  readonly slug: string;
}

/** Publishes a directory like a user, from a data directory that is created if absent. */
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
