import { isoTime } from "../lib/base/clock.ts";
import { toWire, type ProjectView } from "../lib/management/index.ts";
import { writeJson, writeTable } from "./output.ts";
import type { Terminal } from "./terminal.ts";

/** A project as `--json` writes it: what scripts look for comes first. */
export function projectJson(view: ProjectView): unknown {
  const { id, slug, url, ...rest } = view;
  return toWire({ id, slug, url, ...rest });
}

export async function writeProjects(
  terminal: Terminal,
  views: readonly ProjectView[],
): Promise<void> {
  const rows = views.map(({ id, slug, name, accountId, url, liveDeploy, deletedAt }) => [
    slug,
    name,
    id,
    accountId,
    deletedAt !== undefined
      ? `deleted ${isoTime(deletedAt)}`
      : liveDeploy === undefined
        ? "nothing published"
        : `live since ${isoTime(liveDeploy.activatedAt ?? liveDeploy.createdAt)}`,
    url,
  ]);
  await writeTable(terminal, ["SLUG", "NAME", "ID", "ACCOUNT", "STATUS", "ADDRESS"], rows);
}

/** One project, as an object or as a table of one. */
export function writeProject(terminal: Terminal, view: ProjectView, json: boolean): Promise<void> {
  return json ? writeJson(terminal, projectJson(view)) : writeProjects(terminal, [view]);
}
