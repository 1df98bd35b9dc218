import { expect } from "bun:test";

import { api, type Api } from "../../helpers/api.ts";
import { runProgram, type Program } from "../../helpers/process.ts";

/** A project of a running program, and a client that may publish it. */
export interface PublishedProject {
  /** Calls the management API as an operator. */
  readonly manage: Api;
  /** An operator's token. */
  readonly token: string;
  readonly accountId: string;
  readonly slug: string;
  /** The origin for visitors. */
  readonly site: string;
}

export interface SentDeploy {
  readonly id: string;
  readonly state: string;
}

/** Creates an account with a project, by the command line. */
export async function openProject({ dataDir, origin }: Program): Promise<PublishedProject> {
  const account = await command<{ id: string }>(dataDir, ["accounts", "create", "Shelter"]);
  const { token } = await command<{ token: string }>(dataDir, [
    "tokens",
    "create",
    "--role=operator",
  ]);
  const { slug } = await command<{ slug: string }>(dataDir, [
    "projects",
    "create",
    "Site",
    "--account",
    account.id,
  ]);
  return { ...projectAt(origin, token, slug), accountId: account.id };
}

/** The same project after the program moved to another address. */
export function movedProject(project: PublishedProject, origin: string): PublishedProject {
  return { ...projectAt(origin, project.token, project.slug), accountId: project.accountId };
}

function projectAt(
  origin: string,
  token: string,
  slug: string,
): Omit<PublishedProject, "accountId"> {
  const { port } = new URL(origin);
  return {
    token,
    manage: api({ base: origin, key: token }),
    slug,
    site: `http://${slug}.localhost:${port}`,
  };
}

/** Sends an archive; it is live afterwards unless `activate` is false. */
export async function send(
  { manage, slug }: PublishedProject,
  archive: Uint8Array<ArrayBuffer>,
  { activate = true }: { readonly activate?: boolean } = {},
): Promise<SentDeploy> {
  const reply = await manage.raw<SentDeploy>(
    "POST",
    `/manage/v1/projects/${slug}/deploys?activate=${activate}`,
    { body: archive, headers: { "content-type": "application/gzip" } },
  );
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

export async function activate(
  { manage, slug }: PublishedProject,
  { id }: SentDeploy,
): Promise<void> {
  const reply = await manage.post(`/manage/v1/projects/${slug}/deploys/${id}/activate`);
  expect(reply.status, reply.text).toBe(200);
}

async function command<Output>(dataDir: string, args: readonly string[]): Promise<Output> {
  const { exitCode, stdout, stderr } = await runProgram([...args, "--json", "--data-dir", dataDir]);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout);
}
