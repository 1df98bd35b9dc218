import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { anyText, array, integer, named, object, string } from "../../base/schema.ts";
import { fields, list, shape, text, whole } from "../../base/shape.ts";
import { MAX_ID } from "../../base/id.ts";
import { endpoint } from "../../http/endpoint.ts";
import { inProject } from "../../management/endpoint.ts";
import type { ManagementServices } from "../../management/management.ts";
import { MAX_ENTRIES } from "../archive/limits.ts";
import { adoptFiles, removeAdopted, type AdoptContext } from "../actions/adopt-files.ts";

const MAX_PATH = 1_024;

const AdoptSchema = named(
  "AdoptFiles",
  object(
    {},
    {
      after: integer({
        minimum: 0,
        maximum: MAX_ID,
        description: "Go on after this animal: `next` of the last response.",
      }),
    },
  ),
);

const RemoveSchema = named(
  "RemoveAdoptedFiles",
  object(
    {
      paths: array(string(anyText, { maxLength: MAX_PATH }), {
        maxItems: MAX_ENTRIES,
        description: "The files that were adopted.",
      }),
    },
    {
      deploy: string(
        (id) => (/^[a-z0-9]{1,40}$/.test(id) ? undefined : "must be the ID of a deploy"),
        {
          pattern: "^[a-z0-9]{1,40}$",
          description:
            "The deploy whose files were adopted. If another one is live now, nothing is changed.",
        },
      ),
    },
  ),
);

const adoptedShape = shape(
  "AdoptedFiles",
  {
    deploy: text("The live deploy, whose files were read."),
    adopted: list(text(), { description: "Paths of the files that the profiles now contain." }),
    skipped: list(fields({ path: text(), message: text("Why the file stays where it is.") }), {
      description: "Files that were not adopted.",
    }),
  },
  { next: whole({ minimum: 1, description: "Repeat with this as `after`. Absent: done." }) },
);

export const adoptEndpoints = [
  endpoint({
    operationId: "adoptSiteFiles",
    method: "POST",
    path: "/projects/:project/adopt",
    tag: "projects",
    access: inProject("staff"),
    summary: "Move an animal's files of a deploy into its profile",
    description:
      "Copies photos and texts of the live deploy (`/animals/7/photo.jpg`, `bio.md`) into the profiles of the next five animals. Repeating it changes nothing. A text that differs from that of the profile is skipped. Then remove the files from the site with `removeAdoptedFiles`: as long as they are there, they win over the profiles.",
    body: AdoptSchema,
    success: {
      status: 200,
      description: "What was adopted.",
      schema: adoptedShape,
      example: {
        deploy: "d7f3kq0aZx1b8fj2kq0a",
        adopted: ["/animals/7/photo.jpg", "/animals/7/bio.md"],
        skipped: [{ path: "/animals/99/photo.jpg", message: "There is no such animal." }],
        next: 99,
      },
    },
    refusals: ["not_found", "deploy_required"],
    run: async ({ project, body }, services) => {
      const context = contextOf(services);
      return context.ok ? adoptFiles(context.value, project, body.after ?? 0) : context;
    },
  }),
  endpoint({
    operationId: "removeAdoptedFiles",
    method: "POST",
    path: "/projects/:project/adopt/finish",
    tag: "projects",
    access: inProject("staff"),
    summary: "Remove adopted files from a site",
    description:
      "Publishes the live deploy again without files whose contents the profiles have. A rollback undoes it.",
    body: RemoveSchema,
    success: {
      status: 200,
      description: "The deploy that is live now.",
      schema: shape("RemovedFiles", { deploy: text("The deploy that is live now.") }),
      example: { deploy: "e7f3kq0azx1b8fj2kq0a" },
    },
    refusals: ["not_found", "deploy_required", "precondition_failed", "limit_reached"],
    run: async ({ project, body, principal }, services) => {
      const context = contextOf(services);
      if (!context.ok) return context;
      const made = await removeAdopted(context.value, project, { ...body, author: principal.name });
      return made.ok ? done({ deploy: made.value }) : made;
    },
  }),
] as const;

const withoutImages: Problem = problem("unavailable", "This server takes no photos.");

function contextOf(services: ManagementServices): Result<AdoptContext, Problem> {
  const { store, commit, clock, projects, photos } = services;
  return photos === undefined
    ? refused(withoutImages)
    : done({ store, commit, clock, projects, photos });
}
