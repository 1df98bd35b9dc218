import type { Problem } from "../../base/problem.ts";
import type { PetStatus } from "../../catalogue/model.ts";
import { number, text } from "../../sql/rows.ts";
import type { SqlRow } from "../../sql/sql.ts";
import type { Deploy, DeployState, Manifest } from "../model/deploy.ts";
import type { Project, Theme } from "../model/project.ts";
import type { AddressedProject } from "../project-store.ts";

// The casts hold because only this folder writes these tables, and because each list of columns stands
// next to the function that reads it.

export const projectColumns: string = columns(
  "projects",
  "id, account_id, slug, name, category_ids, statuses, accent, scheme, live_deploy_id, version, created_at, updated_at, deleted_at",
);

export function projectOf(row: SqlRow): Project {
  return {
    id: text(row, "id"),
    accountId: text(row, "account_id"),
    slug: text(row, "slug"),
    name: text(row, "name"),
    filter: {
      categoryIds: JSON.parse(text(row, "category_ids")) as readonly number[],
      statuses: text(row, "statuses").split(" ") as readonly PetStatus[],
    },
    theme: {
      ...optional("accent", row["accent"]),
      ...optional("scheme", row["scheme"]),
    } as Theme,
    ...optional("liveDeployId", row["live_deploy_id"] as string | null),
    version: number(row, "version"),
    createdAt: number(row, "created_at"),
    updatedAt: number(row, "updated_at"),
    ...optional("deletedAt", row["deleted_at"] as number | null),
  };
}

/** Reads a project with `redirects_until`, the instant at which the requested slug stops redirecting. */
export function addressedOf(row: SqlRow): AddressedProject {
  return {
    project: projectOf(row),
    ...optional("redirectsUntil", row["redirects_until"] as number | null),
  };
}

export const deployColumns: string = columns(
  "deploys",
  "id, project_id, state, source, message, author, files, bytes, pinned, failure, created_at, touched_at, ready_at, activated_at, superseded_at",
);

export function deployOf(row: SqlRow): Deploy {
  const failure = row["failure"] === null ? null : (JSON.parse(text(row, "failure")) as Problem);
  return {
    id: text(row, "id"),
    projectId: text(row, "project_id"),
    state: text(row, "state") as DeployState,
    source: text(row, "source") as Deploy["source"],
    ...optional("message", row["message"] as string | null),
    author: text(row, "author"),
    files: number(row, "files"),
    bytes: number(row, "bytes"),
    pinned: number(row, "pinned") === 1,
    ...optional("failure", failure),
    createdAt: number(row, "created_at"),
    touchedAt: number(row, "touched_at"),
    ...optional("readyAt", row["ready_at"] as number | null),
    ...optional("activatedAt", row["activated_at"] as number | null),
    ...optional("supersededAt", row["superseded_at"] as number | null),
  };
}

export function manifestOf(row: SqlRow): Manifest {
  return JSON.parse(text(row, "manifest")) as Manifest;
}

/** Qualifies columns with their table, since a statement may read two. */
function columns(table: string, names: string): string {
  return names.replaceAll(/\w+/g, (name) => `${table}.${name}`);
}

/** An object with the member, or without it where the column is null. */
function optional<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { readonly [N in Name]?: Value } {
  // A computed name widens to a dictionary: the type cannot be inferred.
  return (value === null || value === undefined ? {} : { [name]: value }) as {
    readonly [N in Name]?: Value;
  };
}
