import { utf8 } from "../../base/digest.ts";
import { randomBelow, type Random } from "../../base/id.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { faultOfName, normalText } from "../../model/text.ts";
import { StoreUnavailable } from "../../sql/sql.ts";
import type { Blobs } from "../blobs.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { SITE_FILE } from "../model/site-file.ts";
import { unionOf } from "../model/union.ts";
import type { UnfinishedDeploy } from "../unfinished-deploys.ts";
import {
  blobNames,
  INTERRUPTED_AFTER_MS,
  MAX_UNFINISHED_OF_PROCESS,
  MAX_UNFINISHED_OF_PROJECT,
  surplusDeploys,
  type Deploy,
  type Manifest,
} from "../model/deploy.ts";
import {
  deployOf,
  type ProjectChange,
  type ProjectConflict,
  type ProjectOutcome,
  type ProjectStore,
} from "../project-store.ts";
import type { Projects } from "../projects.ts";
import { findUndeleted, noSuchDeploy, noSuchProject, type PublishingContext } from "./context.ts";
import { interrupted, receiveArchive } from "./receive-archive.ts";

type Input = Parameters<Projects["deploys"]["create"]>[1];

const MAX_MESSAGE = 200;

/** Creates a deploy from start to finish. Always leaves it in a final state. */
export async function makeDeploy(
  context: PublishingContext,
  projectId: string,
  input: Input,
): Promise<Result<Deploy, Problem>> {
  const begun = await begin(context, projectId, input);
  if (!begun.ok) {
    if (input.archive instanceof ReadableStream) input.archive.cancel().catch(() => undefined);
    return begun;
  }
  const job = begun.value;
  try {
    input.onBegin?.(job.deploy);
    const made = await fill(context, job);
    job.unfinished.end(made.ok ? { state: made.value.state } : { state: "failed" });
    return made;
  } catch (error) {
    job.unfinished.end({ state: "failed" });
    throw error;
  }
}

interface Job {
  readonly deploy: Deploy;
  readonly unfinished: UnfinishedDeploy;
  readonly archive: Input["archive"];
  readonly activate: boolean;
  readonly add: boolean;
  readonly projectName: string;
}

async function begin(
  context: PublishingContext,
  projectId: string,
  { archive, author, message = "", activate = true, add = false }: Input,
): Promise<Result<Job, Problem>> {
  const { clock, random, commit } = context;
  const fault = message === "" ? undefined : faultOfName(message, MAX_MESSAGE);
  if (fault !== undefined) return refused(problem("invalid_value", `The message ${fault}.`));
  const project = await findUndeleted(context, projectId);
  if (project === undefined) return refused(noSuchProject);
  const now = clock.now();
  const deploy: Deploy = {
    id: newDeployId(random),
    projectId,
    state: archive instanceof ReadableStream ? "uploading" : "processing",
    source: archive === "starter" ? "starter" : "archive",
    ...(message === "" ? {} : { message: normalText(message) }),
    author,
    files: 0,
    bytes: 0,
    pinned: false,
    createdAt: now,
    touchedAt: now,
  };
  const { id, state } = deploy;
  const unfinished = context.unfinished.begin({ deployId: id, state, files: 0, bytes: 0 });
  if (unfinished === undefined) return refused(tooMany(MAX_UNFINISHED_OF_PROCESS, "here"));
  try {
    const committed = await commit([
      {
        kind: "deploy.create",
        deploy,
        atMost: MAX_UNFINISHED_OF_PROJECT,
        aliveAfter: now - INTERRUPTED_AFTER_MS,
      },
    ]);
    if (committed.ok)
      return done({ deploy, unfinished, archive, activate, add, projectName: project.name });
    unfinished.end({ state: "failed" });
    const { refusal } = committed.failure;
    return refused(
      refusal === "limit" ? tooMany(MAX_UNFINISHED_OF_PROJECT, "of this project") : noSuchProject,
    );
  } catch (error) {
    unfinished.end({ state: "failed" });
    throw error;
  }
}

function tooMany(most: number, where: string): Problem {
  const message = `At most ${most} deploys can be in progress ${where}. Try again when one is done.`;
  return problem("limit_reached", message);
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Returns 20 characters with about 100 bits of randomness. */
function newDeployId(random: Random): string {
  let id = LETTERS[randomBelow(random, LETTERS.length)] ?? "";
  while (id.length < 20) id += randomBelow(random, 36).toString(36);
  return id;
}

/** Fills a deploy and moves it to its final state: live, ready or failed. Rejects with unexpected errors. */
async function fill(context: PublishingContext, job: Job): Promise<Result<Deploy, Problem>> {
  const { deploy, unfinished, archive } = job;
  let manifest: Result<Manifest, Problem>;
  try {
    if (archive === "starter")
      manifest = done(await starterManifest(context.blobs, job.projectName));
    else if (archive instanceof ReadableStream) {
      const besides = job.add ? (await liveSite(context, deploy.projectId)).manifest.files : [];
      manifest = await receiveArchive(context, { deploy, unfinished, archive, besides });
    } else manifest = await copied(context, deploy.projectId, archive);
  } catch (error) {
    if (error instanceof StoreUnavailable) {
      return fail(context, deploy, problem("unavailable", "The files cannot be stored right now."));
    }
    await fail(context, deploy, problem("internal_error", "Something broke on our side."));
    throw error;
  }
  if (!manifest.ok) return fail(context, deploy, manifest.failure);
  const finished = await finish(context, job, manifest.value);
  if (!finished.ok) return fail(context, deploy, finished.failure);
  const committed = finished.value;
  if (committed.ok) {
    context.forget(deploy.projectId);
    return done(deployOf(committed.value[job.activate ? 2 : 1]));
  }
  // Stale: a background job marked the deploy as interrupted. Otherwise the project was deleted in the meantime.
  const { refusal } = committed.failure;
  if (refusal === "stale") return refused(interrupted);
  return fail(context, deploy, refusal === "live" ? busy : noSuchProject);
}

const busy: Problem = problem("unavailable", "Others are publishing this project. Try again.", {
  retryAfterSeconds: 1,
});

/** The site that is live, to which a deploy adds files. */
interface LiveSite {
  /** Null if nothing is live. */
  readonly deployId: string | null;
  /** The manifest without the files of a starter, which Petstore wrote. */
  readonly manifest: Manifest;
}

async function liveSite(
  { projectStore: { projects, deploys } }: PublishingContext,
  projectId: string,
): Promise<LiveSite> {
  const deployId = (await projects.byId(projectId))?.liveDeployId ?? null;
  const empty = { deployId, manifest: { files: [], site: {} } };
  if (deployId === null) return empty;
  const deploy = await deploys.byId(projectId, deployId);
  const manifest = await deploys.manifest(projectId, deployId);
  // Without one, another deploy has become live in the meantime: the commit will be refused.
  return deploy?.source === "starter" || manifest === undefined ? empty : { deployId, manifest };
}

/** Returns the manifest of a complete deploy of the project, without the files at some paths. */
async function copied(
  { projectStore: { deploys } }: PublishingContext,
  projectId: string,
  { deploy, without }: Extract<Input["archive"], { readonly deploy: string }>,
): Promise<Result<Manifest, Problem>> {
  const manifest = await deploys.manifest(projectId, deploy);
  if (manifest === undefined) return refused(noSuchDeploy);
  const files = manifest.files.filter(({ path }) => without?.has(path) !== true);
  return done({ ...manifest, files });
}

/** Creates the manifest of a starter: only a site file, so that the storefront serves all pages. */
async function starterManifest(blobs: Blobs, title: string): Promise<Manifest> {
  const site = { title };
  const { sha256, size } = await blobs.put(utf8(`${JSON.stringify(site, undefined, 2)}\n`));
  const type = "application/json; charset=utf-8";
  const file = { path: SITE_FILE, sha256, size, type, immutable: false, encodings: [] };
  return { files: [file], site };
}

/** Blobs registered per commit. Bounds how long other writers wait. */
const BLOBS_AT_ONCE = 500;

/** Attempts to add files to a live site while others publish. */
const MAX_TRIES = 10;

type Committed = Result<readonly ProjectOutcome[], ProjectConflict>;

/** Completes the deploy. Refused if the files cannot be added to the live site. */
async function finish(
  context: PublishingContext,
  job: Job,
  manifest: Manifest,
): Promise<Result<Committed, Problem>> {
  if (!job.add) return complete(context, job, manifest, undefined);
  for (let tries = 1; ; tries++) {
    const live = await liveSite(context, job.deploy.projectId);
    const union = unionOf(live.manifest, manifest);
    if (!union.ok) return union;
    const completed = await complete(context, job, union.value, live.deployId);
    const overtaken =
      completed.ok && !completed.value.ok && completed.value.failure.refusal === "live";
    if (!overtaken || tries === MAX_TRIES) return completed;
  }
}

async function complete(
  { projectStore, commit, clock }: PublishingContext,
  { deploy: { id: deployId, projectId }, activate, archive }: Job,
  manifest: Manifest,
  replaces: string | null | undefined,
): Promise<Result<Committed, Problem>> {
  const names = blobNames(manifest);
  let start = 0;
  while (names.length - start > BLOBS_AT_ONCE) {
    const blobs = names.slice(start, start + BLOBS_AT_ONCE);
    const kept = await commit([{ kind: "deploy.keep", deployId, blobs }]);
    if (!kept.ok) return done(kept);
    start += BLOBS_AT_ONCE;
  }
  const at = clock.now();
  const keep = { kind: "deploy.keep", deployId, blobs: names.slice(start) } as const;
  const ready = { kind: "deploy.ready", deployId, manifest, at } as const;
  const live = {
    kind: "deploy.activate",
    projectId,
    deployId,
    back: false,
    ...withoutUndefined({ replaces }),
    at,
  } as const;
  if (archive !== "starter" && "deploy" in archive) {
    // The blobs exist as long as the copied deploy does, and from now on as long as this one does.
    const kept = await commit([keep]);
    if (!kept.ok) return done(kept);
    const source = await projectStore.deploys.byId(projectId, archive.deploy);
    if (source === undefined) return refused(noSuchDeploy);
  }
  const expired = await expireSurplus(projectStore, { projectId, endingId: deployId, at });
  return done(await commit([keep, ready, ...(activate ? [live] : []), ...expired]));
}

/** Marks the deploy as failed and refuses with the reason. */
async function fail(
  { projectStore, commit, clock, forget }: PublishingContext,
  { id: deployId, projectId }: Deploy,
  failure: Problem,
): Promise<Result<never, Problem>> {
  const at = clock.now();
  const expired = await expireSurplus(projectStore, { projectId, endingId: deployId, at });
  await commit([{ kind: "deploy.fail", deployId, failure, at }, ...expired]);
  forget(projectId);
  return refused(failure);
}

/** More than the deploys of any project, because each finished deploy expires the surplus. */
const ALL_DEPLOYS = 200;

/** Returns the changes that remove surplus deploys when the deploy `endingId` ends. Bounds a project's deploys. */
export async function expireSurplus(
  { deploys }: Pick<ProjectStore, "deploys">,
  {
    projectId,
    endingId,
    at,
  }: { readonly projectId: string; readonly endingId: string; readonly at: number },
): Promise<readonly ProjectChange[]> {
  const listed = await deploys.list(projectId, ALL_DEPLOYS);
  const surplus = surplusDeploys(
    listed.map((deploy) => (deploy.id === endingId ? { ...deploy, state: "ready" } : deploy)),
  );
  return surplus.map(({ id }) => ({ kind: "deploy.expire", projectId, deployId: id, at }));
}
