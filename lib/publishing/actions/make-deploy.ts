import { problem, type Problem } from "../../base/problem.ts";
import { refused, type Result, done } from "../../base/result.ts";
import { type Random, randomBelow } from "../../base/id.ts";
import { faultOfName, normalText } from "../../model/text.ts";
import {
  type Deploy,
  INTERRUPTED_AFTER_MS,
  MAX_MAKING_OF_PROCESS,
  MAX_MAKING_OF_PROJECT,
  blobNames,
  type Manifest,
} from "../model/deploy.ts";
import type { MakingDeploy } from "../making.ts";
import type { Projects } from "../projects.ts";
import { type PublishingContext, findLiving, noSuchProject } from "./context.ts";
import { StoreUnavailable } from "../../sql/sql.ts";
import { deployOf, type ProjectConflict, type ProjectOutcome } from "../project-store.ts";
import { makeRoom } from "./expiry.ts";
import { interrupted, receiveArchive } from "./receive-archive.ts";
import { utf8 } from "../../base/digest.ts";
import type { Blobs } from "../blobs.ts";
import type { Project } from "../model/project.ts";

type Input = Parameters<Projects["deploys"]["create"]>[1];

const MAX_MESSAGE = 200;

/** Makes a deploy from beginning to end. Whatever happens to it, it does not stay unfinished. */
export async function makeDeploy(
  context: PublishingContext,
  projectId: string,
  input: Input,
): Promise<Result<Deploy, Problem>> {
  const begun = await begin(context, projectId, input);
  if (!begun.ok) {
    // Nobody is going to read it.
    if (input.archive !== "starter") input.archive.cancel().catch(() => undefined);
    return begun;
  }
  const { deploy, making, name } = begun.value;
  try {
    input.onBegin?.(deploy);
    const { archive, activate = true } = input;
    const made = await fillDeploy(context, { deploy, making, archive, activate, name });
    making.end(made.ok ? { state: made.value.state } : { state: "failed" });
    return made;
  } catch (error) {
    making.end({ state: "failed" });
    throw error;
  }
}

interface Begun {
  readonly deploy: Deploy;
  readonly making: MakingDeploy;
  /** Of the project. */
  readonly name: string;
}

async function begin(
  context: PublishingContext,
  projectId: string,
  { archive, author, message = "" }: Input,
): Promise<Result<Begun, Problem>> {
  const { clock, random, projectStore } = context;
  const fault = message === "" ? undefined : faultOfName(message, MAX_MESSAGE);
  if (fault !== undefined) return refused(problem("invalid_value", `The message ${fault}.`));
  const project = await findLiving(context, projectId);
  if (project === undefined) return refused(noSuchProject);
  const now = clock.now();
  const deploy: Deploy = {
    id: newDeployId(random),
    projectId,
    state: archive === "starter" ? "processing" : "uploading",
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
  const making = context.making.begin({ deployId: id, state, files: 0, bytes: 0 });
  if (making === undefined) return refused(tooMany(MAX_MAKING_OF_PROCESS, "here"));
  try {
    const committed = await projectStore.commit([
      {
        kind: "deploy.create",
        deploy,
        atMost: MAX_MAKING_OF_PROJECT,
        aliveAfter: now - INTERRUPTED_AFTER_MS,
      },
    ]);
    if (committed.ok) return { ok: true, value: { deploy, making, name: project.name } };
    making.end({ state: "failed" });
    const { refusal } = committed.failure;
    return refused(
      refusal === "limit" ? tooMany(MAX_MAKING_OF_PROJECT, "of this project") : noSuchProject,
    );
  } catch (error) {
    making.end({ state: "failed" });
    throw error;
  }
}

function tooMany(most: number, where: string): Problem {
  const message = `At most ${most} deploys can be made at the same time ${where}; try again when one is done.`;
  return problem("limit_reached", message);
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** 20 characters, about a hundred bits. */
function newDeployId(random: Random): string {
  let id = LETTERS[randomBelow(random, LETTERS.length)] ?? "";
  while (id.length < 20) id += randomBelow(random, 36).toString(36);
  return id;
}

interface Job {
  readonly deploy: Deploy;
  readonly making: MakingDeploy;
  readonly archive: ReadableStream<Uint8Array> | "starter";
  readonly activate: boolean;
  /** Of the project. */
  readonly name: string;
}

/** Leads a deploy that was begun to its end: live, ready or failed. Rejects when the world is broken. */
async function fillDeploy(context: PublishingContext, job: Job): Promise<Result<Deploy, Problem>> {
  const { deploy, making, archive } = job;
  let manifest: Result<Manifest, Problem>;
  try {
    manifest =
      archive === "starter"
        ? done(await starterManifest(context.blobs, job))
        : await receiveArchive(context, { deploy, making, archive });
  } catch (error) {
    if (error instanceof StoreUnavailable) {
      return fail(context, deploy, problem("unavailable", "The files cannot be stored just now."));
    }
    await fail(context, deploy, problem("internal_error", "Something broke on our side."));
    throw error;
  }
  if (!manifest.ok) return fail(context, deploy, manifest.failure);
  const committed = await keepThenFinish(context, job, manifest.value);
  if (committed.ok) {
    context.forget(deploy.projectId);
    return done(deployOf(committed.value[job.activate ? 2 : 1]));
  }
  // It was taken for interrupted, or its project was deleted meanwhile.
  return committed.failure.refusal === "stale"
    ? refused(interrupted)
    : fail(context, deploy, noSuchProject);
}

/** So many blobs are named in one commit: nobody else should wait long for it. */
const BLOBS_AT_ONCE = 500;

async function keepThenFinish(
  { projectStore, clock }: PublishingContext,
  { deploy: { id: deployId, projectId }, activate }: Job,
  manifest: Manifest,
): Promise<Result<readonly ProjectOutcome[], ProjectConflict>> {
  const names = blobNames(manifest);
  let start = 0;
  while (names.length - start > BLOBS_AT_ONCE) {
    const blobs = names.slice(start, start + BLOBS_AT_ONCE);
    const kept = await projectStore.commit([{ kind: "deploy.keep", deployId, blobs }]);
    if (!kept.ok) return kept;
    start += BLOBS_AT_ONCE;
  }
  const at = clock.now();
  const keep = { kind: "deploy.keep", deployId, blobs: names.slice(start) } as const;
  const ready = { kind: "deploy.ready", deployId, manifest, at } as const;
  const live = { kind: "deploy.activate", projectId, deployId, back: false, at } as const;
  const room = await makeRoom(projectStore, { projectId, endingId: deployId, at });
  return projectStore.commit([keep, ready, ...(activate ? [live] : []), ...room]);
}

/** Marks it failed, and refuses with what it failed of. */
async function fail(
  { projectStore, clock, forget }: PublishingContext,
  { id: deployId, projectId }: Deploy,
  failure: Problem,
): Promise<Result<never, Problem>> {
  const at = clock.now();
  const room = await makeRoom(projectStore, { projectId, endingId: deployId, at });
  await projectStore.commit([{ kind: "deploy.fail", deployId, failure, at }, ...room]);
  forget(projectId);
  return refused(failure);
}

export const SITE_FILE_PATH = "/petstore.site.json";

/** A site of nothing but a site file: all of its pages are the storefront's. */
async function starterManifest(blobs: Blobs, { name }: Pick<Project, "name">): Promise<Manifest> {
  const site = { title: name };
  const { sha256, size } = await blobs.put(utf8(`${JSON.stringify(site, undefined, 2)}\n`));
  return {
    files: [
      {
        path: SITE_FILE_PATH,
        sha256,
        size,
        type: "application/json; charset=utf-8",
        immutable: false,
        encodings: [],
      },
    ],
    site,
  };
}
