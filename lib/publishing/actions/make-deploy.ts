import { problem, type Problem } from "../../base/problem.ts";
import { refused, type Result } from "../../base/result.ts";
import type { Random } from "../../base/id.ts";
import { randomBelow } from "../../base/id.ts";
import { faultOfName, normalText } from "../../model/text.ts";
import type { Deploy } from "../model/deploy.ts";
import {
  INTERRUPTED_AFTER_MS,
  MAX_MAKING_OF_PROCESS,
  MAX_MAKING_OF_PROJECT,
} from "../model/deploy-state.ts";
import type { MakingDeploy } from "../making.ts";
import type { Projects } from "../projects.ts";
import type { PublishingContext } from "./context.ts";
import { fillDeploy } from "./fill-deploy.ts";
import { findLiving, noSuchProject } from "./find.ts";

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
    id: deployId(random),
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
function deployId(random: Random): string {
  let id = LETTERS[randomBelow(random, LETTERS.length)] ?? "";
  while (id.length < 20) id += randomBelow(random, 36).toString(36);
  return id;
}
