import type { PetstoreClient, PetstoreOperations } from "../domains/operations.ts";
import type { ProjectView } from "../lib/management/index.ts";
import { goneBetween, type Deploy, type Gone, type UnusedReason } from "../lib/publishing/index.ts";
import { readableFiles } from "../lib/base/readable.ts";
import { Failure, must } from "../settings/failure.ts";
import { toggle, type Context, type Flag } from "./command.ts";

/** Unlike other changes, publishing is not refused without a terminal: scripts publish. */
export const yesOfDeploy: Flag<boolean> = toggle(
  "yes",
  "Do not ask when files of the live site disappear. Without a terminal nothing is asked.",
);

/** Returns what visitors would miss if a site with these paths replaced the live one. */
export async function goneAfter(
  { call }: PetstoreClient,
  { id: project, liveDeploy }: ProjectView,
  paths: ReadonlySet<string>,
): Promise<Gone | undefined> {
  // Petstore wrote the site file of a starter, so its loss is none.
  if (liveDeploy === undefined || liveDeploy.source === "starter") return undefined;
  const place = { project, deploy: liveDeploy.id };
  const live = must(await call("GET /projects/:project/deploys/:deploy/files", place));
  return goneBetween(live, paths);
}

/** Returns whether anything is gone. */
export function isLoss({ files }: Gone): boolean {
  return files > 0;
}

/** `3 files are gone: photos of 1 animal, site settings` */
export function goneText({ files, photosOf, textsOf, siteFile }: Gone): string {
  const animals = (count: number): string => (count === 1 ? "1 animal" : `${count} animals`);
  const what = [
    ...(photosOf === 0 ? [] : [`photos of ${animals(photosOf)}`]),
    ...(textsOf === 0 ? [] : [`texts of ${animals(textsOf)}`]),
    ...(siteFile ? ["site settings (petstore.site.json)"] : []),
  ];
  const count = readableFiles(files);
  return what.length === 0 ? count : `${count}: ${what.join(", ")}`;
}

/**
 * On a terminal, asks before files of the live site disappear. Returns whether to add to the live site instead; fails if the
 * person cancels. Elsewhere nothing is asked, so that scripts go on publishing.
 */
export async function asksToAdd(
  gone: Gone | undefined,
  { yes, starter = false }: { readonly yes: boolean; readonly starter?: boolean },
  { terminal }: Pick<Context, "terminal">,
): Promise<boolean> {
  if (gone === undefined || !isLoss(gone) || yes || !terminal.interactive) return false;
  const verb = gone.files === 1 ? "disappears" : "disappear";
  const choices = starter ? "[y/N]" : "[y/N, a: add to the live site]";
  const answer = await terminal.ask(
    `${goneText(gone)} of the live site ${verb}. Publish? ${choices} `,
  );
  const given = answer?.trim().toLowerCase() ?? "";
  if (!starter && (given === "a" || given === "add")) return true;
  if (given === "y" || given === "yes") return false;
  throw new Failure("failed", "Cancelled. Nothing changed.");
}

type Unused = PetstoreOperations["GET /projects/:project/deploys/:deploy/diff"]["output"]["unused"];

/** Returns the files below `animals/` that the storefront does not use; none if the server cannot tell. */
export async function unusedBy(
  { call }: PetstoreClient,
  { id: deploy, projectId: project }: Deploy,
): Promise<Unused> {
  const compared = await call("GET /projects/:project/deploys/:deploy/diff", { project, deploy });
  return compared.ok ? compared.value.unused : [];
}

const WHY: Readonly<Record<UnusedReason, string>> = {
  folder: "the folder is not the number of an animal",
  place: "it is not directly in the folder of an animal, such as animals/7/",
  photo_name: "a photo is called photo, such as photo.jpg",
  photo_format: "a photo is a JPEG, PNG, WebP or AVIF file",
  text_name: "a text is called bio.md",
  unknown_animal: "there is no animal with this number",
  text_too_long: "the text is larger than 64 KiB",
  text_not_utf8: "the text is not UTF-8: save it with this encoding",
};

/** The most files named. */
const MAX_NAMED = 10;

export function reportUnused(unused: Unused, { terminal }: Pick<Context, "terminal">): void {
  for (const { path, reason } of unused.slice(0, MAX_NAMED)) {
    terminal.err(`Not used: ${path.slice(1)}: ${WHY[reason]}\n`);
  }
  const more = unused.length - MAX_NAMED;
  if (more > 0) terminal.err(`Not used: ${more} more files below animals/\n`);
}
