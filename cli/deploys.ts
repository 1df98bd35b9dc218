import type { PetstoreClient, PetstoreOperations } from "../domains/operations.ts";
import { createDeploy, type DeployUploads, type ProjectView } from "../lib/management/index.ts";
import type { Deploy } from "../lib/publishing/index.ts";
import { Failure, must } from "../settings/failure.ts";
import { normalized } from "../lib/base/normalized.ts";
import { readableBytes, readableFiles, readableMinute, shellWord } from "../lib/base/readable.ts";
import { optionalText, toggle, type Command, type Context } from "./command.ts";
import { given, projectFlag } from "./fields.ts";
import { operation } from "./operation.ts";
import { confirm, createProgress, writeTable, yesFlag } from "./output.ts";
import {
  asksToAdd,
  goneAfter,
  goneText,
  isLoss,
  reportUnused,
  unusedBy,
  yesOfDeploy,
} from "./gone.ts";
import { siteDirectory, upload, type SiteDirectory } from "./site-directory.ts";

export const deploy: Command = operation({
  path: "deploy",
  summary: "Publish a directory, or the storefront alone, in one step",
  details:
    "Visitors see all of the new site or all of the old one. Dotfiles (except /.well-known) and links are skipped and listed. The storefront serves every page that the directory lacks. It takes photos and descriptions of the animals from animals/ID/photo.jpg and animals/ID/bio.md, and settings from petstore.site.json.",
  operands: {
    directory: { placeholder: "DIR", help: "Directory to publish.", optional: true },
  },
  flags: {
    project: projectFlag,
    starter: toggle("starter", "Publish the storefront alone, without files. Instead of DIR."),
    message: optionalText("message", "TEXT", "What changed; shown in `deploys list`."),
    noActivate: toggle("no-activate", "Only upload. `deploys activate` publishes it later."),
    add: toggle("add", "Add the files to the live site. A file at the same path is replaced."),
    yes: yesOfDeploy,
  },
  examples: [
    "deploy ./site --project brave-otter-1f2e",
    "deploy --starter --project brave-otter-1f2e",
    "deploy ./new-photos --add --project brave-otter-1f2e",
    'deploy ./site --project cats --message "Spring" --server https://pets.example.org --token-file ~/.petstore-token',
  ],
  before: async ({ flags: { starter, add, noActivate }, operands: { directory }, context }) => {
    if (add && starter) throw new Failure("usage", "--add needs DIR: remove --starter.");
    if (add && noActivate) throw new Failure("usage", "--add publishes: remove --no-activate.");
    const site = await siteOf(directory, starter);
    if (site !== undefined) reportSite(site, context);
    return site;
  },
  call: async (client, { flags, operands: { directory }, context }, site) => {
    const startedAt = context.clock.now();
    // First: nothing is read for a project that does not exist.
    const project = await projectNamed(client, flags.project);
    const { id, url, previewUrl } = project;
    const paths = new Set((site?.files ?? []).map(({ path }) => `/${normalized(path, "NFC")}`));
    const publishes = !flags.noActivate && !flags.add;
    const gone = publishes ? await goneAfter(client, project, paths) : undefined;
    const add =
      flags.add || (await asksToAdd(gone, { ...flags, starter: site === undefined }, context));
    const options = given({
      message: flags.message,
      activate: flags.noActivate ? false : undefined,
      add: add || undefined,
    });
    const { made, sent } =
      site === undefined || directory === undefined
        ? {
            made: must(await createDeploy(client, { project: id, archive: "starter", ...options })),
            sent: 0,
          }
        : await deployDirectory({ client, project: id, directory, site, options, context });
    return {
      ...made,
      url,
      ...given({ previewUrl: previewUrl?.replace("{deploy}", made.id) }),
      sentBytes: sent,
      seconds: Math.round((context.clock.now() - startedAt) / 10) / 100,
      ...given({ gone: add ? undefined : gone }),
      unused: await unusedBy(client, made),
      domainSuggestions: made.state === "live" ? await suggestedDomains(client, id) : [],
    };
  },
  show: async (made, { flags: { project }, context }) => {
    const { terminal, program } = context;
    const { id, files, bytes, state, url, previewUrl, sentBytes, seconds } = made;
    const size =
      sentBytes === 0 ? "" : `, ${readableBytes(bytes)} (${readableBytes(sentBytes)} sent)`;
    const result = `${readableFiles(files)}${size}, ${state === "live" ? "live" : "ready"}`;
    terminal.err(`${result} in ${seconds} s\n`);
    if (made.gone !== undefined && isLoss(made.gone)) {
      terminal.err(
        `Gone from the site: ${goneText(made.gone)}. Undo: ${program} rollback --project ${shellWord(project)}\n`,
      );
    }
    reportUnused(made.unused, context);
    reportSuggestions(made.domainSuggestions, project, context);
    if (state === "live") {
      await terminal.out(`${url}\n`);
      return;
    }
    if (previewUrl !== undefined) terminal.err(`Preview: ${previewUrl}\n`);
    terminal.err(`Publish it: ${program} deploys activate ${id} --project ${project}\n`);
    await terminal.out(`${id}\n`);
  },
});

const deployHelp = "ID of the deploy, as `deploys list` shows it.";

export const deployCommands: readonly Command[] = [
  deploy,
  operation({
    path: "deploys list",
    summary: "List the deploys of a project, newest first",
    flags: { project: projectFlag },
    examples: ["deploys list --project brave-otter-1f2e"],
    call: async ({ all }, { flags: { project } }) =>
      must(await all("GET /projects/:project/deploys", { project })),
    show: async (deploys, { context: { terminal } }) => {
      if (deploys.length === 0) {
        terminal.err("The project has no deploys.\n");
        return;
      }
      await writeTable(
        terminal,
        ["ID", "STATE", "SENT", "FILES", "SIZE", "BY", "MESSAGE"],
        deploys.map(({ id, state, pinned, files, bytes, createdAt, author, message, failure }) => [
          id,
          pinned ? `${state}, pinned` : state,
          readableMinute(createdAt),
          String(files),
          readableBytes(bytes),
          author,
          failure?.message ?? message ?? "",
        ]),
      );
    },
  }),
  operation({
    path: "deploys activate",
    summary: "Publish an uploaded deploy, in one step",
    operands: { deploy: { placeholder: "DEPLOY", help: deployHelp } },
    flags: { project: projectFlag, yes: yesOfDeploy },
    examples: ["deploys activate k3v9q2m7x1c8b5n4z6w0 --project brave-otter-1f2e"],
    call: async (client, { flags, operands, context }) => {
      const project = await projectNamed(client, flags.project);
      const place = { project: project.id, deploy: operands.deploy };
      const { gone } = must(
        await client.call("GET /projects/:project/deploys/:deploy/diff", place),
      );
      const isLive = operands.deploy === project.liveDeployId;
      const add = await asksToAdd(isLive ? undefined : gone, flags, context);
      const live = must(
        await client.call("POST /projects/:project/deploys/:deploy/activate", {
          ...place,
          query: { add: add || undefined },
        }),
      );
      return published(client, project, live);
    },
    show: showPublished,
  }),
  operation({
    path: "rollback",
    summary: "Publish the previous deploy again, in one step",
    details: "A second rollback goes back one deploy further.",
    flags: {
      project: projectFlag,
      to: optionalText("to", "DEPLOY", `${deployHelp} Default: the previously live deploy.`),
      yes: yesFlag,
    },
    examples: [
      "rollback --project brave-otter-1f2e",
      "rollback --project brave-otter-1f2e --to k3v9q2m7x1c8b5n4z6w0 --yes",
    ],
    call: async (client, { flags, context }) => {
      const project = await projectNamed(client, flags.project);
      const question = await rollbackQuestion(client, project, flags.to);
      await confirm(context.terminal, question, flags.yes);
      const input = { project: project.id, body: { to: flags.to } };
      const live = must(await client.call("POST /projects/:project/rollback", input));
      return published(client, project, live);
    },
    show: showPublished,
  }),
];

async function projectNamed({ call }: PetstoreClient, project: string): Promise<ProjectView> {
  return must(await call("GET /projects/:project", { project }));
}

type Published = Awaited<ReturnType<typeof published>>;

async function published(client: PetstoreClient, { id, url }: ProjectView, live: Deploy) {
  return { ...live, url, domainSuggestions: await suggestedDomains(client, id) };
}

async function showPublished(
  live: Published,
  called: { readonly flags: { readonly project: string }; readonly context: Context },
): Promise<void> {
  const { flags, context } = called;
  context.terminal.err(`Now live: ${deployName(live)}\n`);
  reportSuggestions(live.domainSuggestions, flags.project, context);
  await context.terminal.out(`${live.url}\n`);
}

async function rollbackQuestion(
  { call }: PetstoreClient,
  { id: project, slug, url, liveDeploy }: ProjectView,
  to: string | undefined,
): Promise<string> {
  let target = to;
  if (target === undefined) {
    if (liveDeploy === undefined) throw new Failure("notFound", `${slug} has no live deploy.`);
    const path = { project, deploy: liveDeploy.id };
    // Compares the live deploy with the previously live one.
    const { against } = must(await call("GET /projects/:project/deploys/:deploy/diff", path));
    if (against === null) {
      throw new Failure("notFound", `No deploy of ${slug} was live before the current one.`);
    }
    target = against;
  }
  const older = must(
    await call("GET /projects/:project/deploys/:deploy", { project, deploy: target }),
  );
  if (older.id === liveDeploy?.id) throw new Failure("failed", `${older.id} is live already.`);
  const live = liveDeploy === undefined ? "" : ` (now live: ${deployName(liveDeploy)})`;
  return `Publish ${deployName(older)} at ${url}?${live}`;
}

/** `k3…, of 2026-11-20T09:30:00.000Z, "Spring"` */
function deployName({ id, createdAt, message }: Deploy): string {
  return `${id}, of ${readableMinute(createdAt)}${message === undefined ? "" : `, ${JSON.stringify(message)}`}`;
}

async function siteOf(
  directory: string | undefined,
  starter: boolean,
): Promise<SiteDirectory | undefined> {
  if (starter && directory !== undefined) {
    throw new Failure("usage", "--starter publishes no directory: remove --starter or DIR.");
  }
  if (starter) return undefined;
  if (directory === undefined) {
    throw new Failure("usage", "DIR is required, or --starter for the storefront alone.");
  }
  return siteDirectory(directory);
}

/** The most skipped paths that are listed. */
const MAX_LISTED = 10;

function reportSite({ files, leftOut }: SiteDirectory, { terminal }: Context): void {
  if (leftOut.length > 0) {
    const listed = leftOut.slice(0, MAX_LISTED).join(", ");
    const more = leftOut.length - MAX_LISTED;
    terminal.err(`Skipped: ${listed}${more > 0 ? `, and ${more} more` : ""}\n`);
  }
  const own = files.some(({ path }) => path === "index.html" || path === "petstore.site.json");
  if (!own) terminal.err("No index.html found: the storefront is the home page.\n");
}

interface Sending {
  readonly client: DeployUploads;
  readonly project: string;
  readonly directory: string;
  readonly site: SiteDirectory;
  readonly options: {
    readonly message?: string;
    readonly activate?: boolean;
    readonly add?: boolean;
  };
  readonly context: Pick<Context, "terminal" | "clock">;
}

/** Uploads the directory and shows the progress: first of reading, then of the service. Returns the bytes sent, too. */
export async function deployDirectory(
  sending: Sending,
): Promise<{ readonly made: Deploy; readonly sent: number }> {
  const { client, project, directory, site, options, context } = sending;
  const progress = createProgress(context.terminal, context.clock, "files");
  const total = site.files.length;
  let allRead = false;
  const sent = upload(directory, site, (files, bytes) => {
    allRead = bytes >= site.bytes;
    progress.show(files, site.bytes === 0 ? undefined : bytes / site.bytes);
  });
  try {
    const made = await createDeploy(client, {
      ...options,
      project,
      archive: sent.archive,
      onProgress: ({ files, state }) => {
        if (!allRead || state === "live") return;
        progress.say(`processing, ${files.toLocaleString("en")} of ${total.toLocaleString("en")}`);
      },
    });
    // The service only knows that the upload was cut off; the local failure says why.
    if (!made.ok && sent.failure !== undefined) throw sent.failure;
    return { made: must(made), sent: sent.sent };
  } catch (error) {
    throw sent.failure ?? error;
  } finally {
    progress.clear();
  }
}

type Suggestions = PetstoreOperations["GET /projects/:project/domain-suggestions"]["output"];

/** Returns the domains that the live deploy asks for; none if the server cannot tell, because the deploy succeeded. */
async function suggestedDomains({ call }: PetstoreClient, project: string): Promise<Suggestions> {
  const suggested = await call("GET /projects/:project/domain-suggestions", { project });
  return suggested.ok ? suggested.value : [];
}

/** Prints the commands that put the domains of petstore.site.json into effect. */
function reportSuggestions(
  suggestions: Suggestions,
  project: string,
  { terminal, program }: Context,
): void {
  for (const { domain, unicode, step } of suggestions) {
    const how = `${program} domains ${step} ${domain} --project ${shellWord(project)}`;
    terminal.err(`${step === "add" ? "Add" : "Verify"} domain ${unicode}: ${how}\n`);
  }
}
