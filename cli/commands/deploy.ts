import { toWire } from "../../lib/management/index.ts";
import type { Deploy } from "../../lib/publishing/index.ts";
import { command, type Context } from "../command.ts";
import { deployDirectory, type Sent } from "../deploy-directory.ts";
import { readableBytes, readableFiles } from "../../settings/values.ts";
import { suggestedDomains, tellSuggestions } from "../domain-suggestions.ts";
import { Failure, must } from "../../settings/failure.ts";
import { optional, toggle } from "../flag.ts";
import { writeJson } from "../output.ts";
import { projectFlag } from "../project-fields.ts";
import { clientFlags } from "../serve-flags.ts";
import { siteDirectory, type SiteDirectory } from "../site-directory.ts";
import { text } from "../../settings/values.ts";
import { withClient } from "../client.ts";

export const deploy = command({
  path: "deploy",
  summary: "Publish a directory, or the starter storefront, in one step",
  details:
    "Visitors see all of the new site or all of the old one. Dotfiles (but /.well-known) and links are left out, and named. Where the directory has no page of its own, the storefront answers: photos and texts of animals are in animals/ID/photo.jpg and animals/ID/bio.md, settings in petstore.site.json.",
  operands: {
    directory: { placeholder: "DIR", help: "What to publish.", optional: true },
  },
  flags: {
    project: projectFlag,
    starter: toggle("starter", "The storefront alone, without files. Instead of DIR."),
    message: optional({
      name: "message",
      placeholder: "TEXT",
      help: "What changed, to be found again in `deploys list`.",
      parse: text,
    }),
    noActivate: toggle("no-activate", "Only send it: `deploys activate` publishes it."),
    ...clientFlags,
  },
  examples: [
    "deploy ./site --project brave-otter-1f2e",
    "deploy --starter --project brave-otter-1f2e",
    'deploy ./site --project cats --message "Spring" --server https://pets.example.org --token-file ~/.petstore-token',
  ],
  run: async ({ flags, operands, context }) => {
    const { terminal, clock } = context;
    const { directory } = operands;
    const site = await siteOf(directory, flags.starter);
    if (site !== undefined) tellAbout(site, context);
    const startedAt = clock.now();
    const { made, sent, url, preview, suggestions } = await withClient(
      flags,
      context,
      async (client) => {
        // First, so that nothing is read for a project that is not there.
        const { id, url: address, previewUrl } = must(await client.projects.byId(flags.project));
        const options = {
          ...(flags.message === undefined ? {} : { message: flags.message }),
          ...(flags.noActivate ? { activate: false } : {}),
        };
        const outcome: Sent =
          site === undefined || directory === undefined
            ? {
                made: must(await client.deploys.create(id, { archive: "starter", ...options })),
                sent: 0,
              }
            : await deployDirectory({ client, project: id, directory, site, options, context });
        const live = outcome.made.state === "live";
        return {
          ...outcome,
          url: address,
          preview: previewUrl?.replace("{deploy}", outcome.made.id),
          suggestions: live ? await suggestedDomains(client, id) : [],
        };
      },
    );
    const seconds = Math.round((clock.now() - startedAt) / 10) / 100;
    if (flags.json) {
      await writeJson(
        terminal,
        toWire({
          ...made,
          url,
          ...(preview === undefined ? {} : { previewUrl: preview }),
          sentBytes: sent,
          seconds,
          domainSuggestions: suggestions,
        }),
      );
      return "done";
    }
    terminal.err(`${report(made, sent)} in ${seconds} s\n`);
    tellSuggestions(suggestions, flags.project, context);
    if (made.state === "live") await terminal.out(`${url}\n`);
    else {
      const how = `${context.program} deploys activate ${made.id} --project ${flags.project}`;
      if (preview !== undefined) terminal.err(`Look at it: ${preview}\n`);
      terminal.err(`Publish it: ${how}\n`);
      await terminal.out(`${made.id}\n`);
    }
    return "done";
  },
});

async function siteOf(
  directory: string | undefined,
  starter: boolean,
): Promise<SiteDirectory | undefined> {
  if (starter && directory !== undefined) {
    throw new Failure("usage", "--starter publishes no directory: leave one of the two out.");
  }
  if (starter) return undefined;
  if (directory === undefined) {
    throw new Failure("usage", "DIR is needed, or --starter for the storefront alone.");
  }
  return siteDirectory(directory);
}

/** More than that nobody reads. */
const MAX_NAMED = 10;

function tellAbout({ files, leftOut }: SiteDirectory, { terminal }: Context): void {
  if (leftOut.length > 0) {
    const named = leftOut.slice(0, MAX_NAMED).join(", ");
    const more = leftOut.length - MAX_NAMED;
    terminal.err(`Left out: ${named}${more > 0 ? `, and ${more} more` : ""}\n`);
  }
  const own = files.some(({ path }) => path === "index.html" || path === "petstore.site.json");
  if (!own) terminal.err("There is no index.html: the storefront is the first page.\n");
}

function report({ files, bytes, state }: Deploy, sent: number): string {
  const size = sent === 0 ? "" : `, ${readableBytes(bytes)} (${readableBytes(sent)} sent)`;
  return `${readableFiles(files)}${size}, ${state === "live" ? "live" : "ready"}`;
}
