import type { Problem } from "../../base/problem.ts";
import type { PetStatus } from "../../catalogue/model.ts";
import { number, optionalNumber, optionalText, present, text } from "../../sql/rows.ts";
import type { SqlRow } from "../../sql/sql.ts";
import type { DeployState } from "../../model/deploy-states.ts";
import type { Deploy, Manifest } from "../model/deploy.ts";
import type { Project, Theme } from "../model/project.ts";
import type { AddressedProject } from "../project-store.ts";

// The casts hold because only this folder writes these tables, and because each column list is next to the function that
// reads it.

export const projectColumns: string = columns(
  "projects",
  "id, account_id, slug, name, category_ids, statuses, accent, scheme, site, live_deploy_id, version, created_at, updated_at, deleted_at",
);

export function projectOf(row: SqlRow): Project {
  const site = optionalText(row, "site");
  return {
    id: text(row, "id"),
    accountId: text(row, "account_id"),
    slug: text(row, "slug"),
    name: text(row, "name"),
    filter: {
      categoryIds: JSON.parse(text(row, "category_ids")) as readonly number[],
      statuses: text(row, "statuses").split(" ") as readonly PetStatus[],
    },
    theme: present({
      accent: optionalText(row, "accent"),
      scheme: optionalText(row, "scheme") as Theme["scheme"],
    }),
    version: number(row, "version"),
    createdAt: number(row, "created_at"),
    updatedAt: number(row, "updated_at"),
    ...present({
      site: site === undefined ? undefined : (JSON.parse(site) as Project["site"]),
      liveDeployId: optionalText(row, "live_deploy_id"),
      deletedAt: optionalNumber(row, "deleted_at"),
    }),
  };
}

/** Reads a project with `redirects_until`, the time at which the requested slug stops redirecting. */
export function addressedOf(row: SqlRow): AddressedProject {
  return {
    project: projectOf(row),
    ...present({ redirectsUntil: optionalNumber(row, "redirects_until") }),
  };
}

export const deployColumns: string = columns(
  "deploys",
  "id, project_id, state, source, message, author, files, bytes, pinned, failure, created_at, touched_at, ready_at, activated_at, superseded_at",
);

export function deployOf(row: SqlRow): Deploy {
  const failure = optionalText(row, "failure");
  return {
    id: text(row, "id"),
    projectId: text(row, "project_id"),
    state: text(row, "state") as DeployState,
    source: text(row, "source") as Deploy["source"],
    author: text(row, "author"),
    files: number(row, "files"),
    bytes: number(row, "bytes"),
    pinned: number(row, "pinned") === 1,
    createdAt: number(row, "created_at"),
    touchedAt: number(row, "touched_at"),
    ...present({
      message: optionalText(row, "message"),
      failure: failure === undefined ? undefined : (JSON.parse(failure) as Problem),
      readyAt: optionalNumber(row, "ready_at"),
      activatedAt: optionalNumber(row, "activated_at"),
      supersededAt: optionalNumber(row, "superseded_at"),
    }),
  };
}

export function manifestOf(row: SqlRow): Manifest {
  return JSON.parse(text(row, "manifest")) as Manifest;
}

/** Qualifies columns with their table, because a statement may read two. */
function columns(table: string, names: string): string {
  return names.replaceAll(/\w+/g, (name) => `${table}.${name}`);
}
