import type { ProjectChange } from "../project-store.ts";
import { activateDeploy } from "./activation.ts";
import { keepBlobs, releaseBlobs } from "./manifests.ts";
import { createDeploy, failDeploy, finishDeploy, pinDeploy, touchDeploy } from "./deploys.ts";
import {
  createProject,
  deleteProject,
  purgeProject,
  purgeSlugs,
  restoreProject,
  updateProject,
} from "./projects.ts";
import { deleteDeploy, expireDeploy, purgeDeploy } from "./removal.ts";
import type { Leaves, ProjectScript } from "./script.ts";
import { Script } from "../../sql/script.ts";

/** The changes of one commit as the steps of one batch. */
export function compile(changes: readonly ProjectChange[]): ProjectScript {
  const script: ProjectScript = new Script();
  for (const change of changes) script.end(addChange(script, change));
  return script;
}

function addChange(script: ProjectScript, change: ProjectChange): Leaves {
  switch (change.kind) {
    case "project.create":
      return createProject(script, change);
    case "project.update":
      return updateProject(script, change);
    case "project.delete":
      return deleteProject(script, change);
    case "project.restore":
      return restoreProject(script, change);
    case "project.purge":
      return purgeProject(script, change);
    case "slugs.purge":
      return purgeSlugs(script, change);
    case "deploy.create":
      return createDeploy(script, change);
    case "deploy.touch":
      return touchDeploy(script, change);
    case "deploy.keep":
      return keepBlobs(script, change);
    case "deploy.ready":
      return finishDeploy(script, change);
    case "deploy.activate":
      return activateDeploy(script, change);
    case "deploy.fail":
      return failDeploy(script, change);
    case "deploy.pin":
      return pinDeploy(script, change);
    case "deploy.delete":
      return deleteDeploy(script, change);
    case "deploy.expire":
      return expireDeploy(script, change);
    case "deploy.purge":
      return purgeDeploy(script, change);
    case "deploy.release":
      return releaseBlobs(script, change);
  }
}
