import { basename } from "node:path";

import type { PetstoreClient } from "../domains/operations.ts";
import type { Problem } from "../lib/base/problem.ts";
import type { Result } from "../lib/base/result.ts";
import type { Environment } from "../lib/index.ts";
import {
  uploadImport,
  uploadImportPhotos,
  type ImportRequest,
  type ImportView,
  type ShownPlan,
} from "../lib/management/index.ts";
import { codeOf, Failure, must, reasonOf } from "../settings/failure.ts";
import type { Context } from "./command.ts";
import { nextQuestion, withAnswer } from "./import-answers.ts";
import type { Progress } from "./output.ts";

/** A catalogue. */
interface Place {
  readonly account: string;
  readonly environment: Environment;
}

/** What the commands of imports work with. */
export interface ImportJob {
  readonly client: PetstoreClient;
  readonly place: Place;
  readonly context: Context;
  readonly progress: Progress;
}

/** What is to be imported. */
export interface ImportOrder {
  readonly file: string;
  /** A zip archive of photos. */
  readonly photos: string | undefined;
  readonly request: ImportRequest;
  readonly dryRun: boolean;
  /** Asks on the terminal what is not understood. */
  readonly asks: boolean;
}

/** What became of an import. */
export interface ImportOutcome {
  /** The import as it ended, or as it waits for answers. */
  readonly imported: ImportView;
  /** Undefined if the file cannot be read. */
  readonly plan: ShownPlan | undefined;
  /** The request with the answers that were given on the terminal. */
  readonly request: ImportRequest;
  /** Questions were asked on the terminal. */
  readonly asked?: boolean;
}

/** The path of an import. */
export const RUN = "/accounts/:account/:environment/imports/:import";

/** Uploads a file, reads it, and imports it if everything is understood. */
export async function importFile(
  job: ImportJob,
  { file, photos, request, dryRun, asks }: ImportOrder,
): Promise<ImportOutcome> {
  const { client, place } = job;
  const { name, content } = await openFile(file, job, "Uploading");
  const archive =
    photos === undefined ? undefined : await openFile(photos, job, "Uploading photos");
  const uploaded = readable(await uploadImport(client, { ...place, fileName: name, content }));
  const at = { ...place, import: uploaded.id };
  if (archive !== undefined) {
    const added = await uploadImportPhotos(client, {
      ...at,
      fileName: archive.name,
      content: archive.content,
    });
    if (!added.ok) must(await client.call(`POST ${RUN}/cancel`, at));
    readable(added);
  }
  const first = await mapped(job, uploaded.id, request);
  const answered = asks ? await answeredOnTerminal(job, first) : first;
  const { imported: read, plan } = answered;
  if (plan === undefined || !read.ready || dryRun) {
    return { ...answered, imported: await cancelled(job, read) };
  }
  must(await client.call(`POST ${RUN}/run`, at));
  return { ...answered, imported: await settled(job, uploaded.id, "Importing") };
}

/** Returns the import; fails with what the file is, if it cannot be read. */
function readable(made: Result<ImportView, Problem>): ImportView {
  if (!made.ok && made.failure.code === "unreadable_file") {
    throw new Failure("failed", made.failure.message);
  }
  return must(made);
}

/** Says how to read and map the file of an import, and returns what it then contains. */
async function mapped(job: ImportJob, id: string, request: ImportRequest): Promise<ImportOutcome> {
  const { client, place } = job;
  const at = { ...place, import: id };
  must(await client.call(`PUT ${RUN}/mapping`, { ...at, body: request }));
  const imported = await settled(job, id, "Reading");
  if (imported.problem !== undefined) return { imported, plan: undefined, request };
  return { imported, plan: must(await client.call(`GET ${RUN}/mapping`, at)), request };
}

/** The most answers to one file. */
const MOST_ANSWERS = 500;

/** Asks one question after the other until everything is understood, or the person ends it. */
async function answeredOnTerminal(job: ImportJob, first: ImportOutcome): Promise<ImportOutcome> {
  const { client, place, context, progress } = job;
  const { terminal } = context;
  let found = first;
  for (let count = 0; count < MOST_ANSWERS && !found.imported.ready; count++) {
    const categories = must(
      await client.all("GET /accounts/:account/:environment/categories", place),
    ).map(({ name }) => name);
    const asked = nextQuestion(found, categories);
    if (asked === undefined) return found;
    progress.clear();
    if (count === 0) terminal.err("Nothing is imported before the end. Ctrl-D cancels.\n");
    const typed = await terminal.ask(`\n${asked.text} `);
    if (typed === undefined) return found;
    const answer = asked.answer(typed.trim());
    if (answer === "stop") return found;
    if (answer === undefined) {
      terminal.err("That is none of the choices.\n");
      continue;
    }
    const next = await mapped(job, found.imported.id, withAnswer(found.request, answer));
    found = { ...next, asked: true };
  }
  return found;
}

/** An import that waits for answers that do not come would keep others from beginning. */
async function cancelled(
  { client, place }: ImportJob,
  { id, ...read }: ImportView,
): Promise<ImportView> {
  must(await client.call(`POST ${RUN}/cancel`, { ...place, import: id }));
  return { id, ...read };
}

const POLL_MS = [50, 100, 200, 500] as const;
const WORKING: ReadonlySet<ImportView["state"]> = new Set(["reading", "running", "undoing"]);

/** Waits until the server no longer works on an import, and shows its progress. */
export async function settled(
  { client, place, context, progress }: ImportJob,
  id: string,
  doing: string,
): Promise<ImportView> {
  for (let round = 0; ; round++) {
    const found = must(await client.call(`GET ${RUN}`, { ...place, import: id }));
    if (!WORKING.has(found.state)) return found;
    progress.say(doing, found.percent / 100);
    await context.clock.sleep(POLL_MS[round] ?? 500);
  }
}

async function openFile(
  file: string,
  { context: { terminal }, progress }: ImportJob,
  doing: string,
): Promise<{ readonly name: string; readonly content: ReadableStream<Uint8Array> }> {
  if (file === "-") return { name: "", content: streamOf(terminal.input()) };
  const opened = Bun.file(file);
  if (!(await opened.exists())) throw new Failure("notFound", `The file ${file} does not exist.`);
  const onRead = (bytes: number): void => progress.say(doing, bytes / Math.max(1, opened.size));
  return { name: basename(file), content: streamOf(chunksOf(opened, file, onRead)) };
}

/** `ReadableStream.from` is not everywhere. */
function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

async function* chunksOf(
  opened: Blob,
  file: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  try {
    for await (const chunk of opened.stream()) {
      onRead((read += chunk.length));
      yield chunk;
    }
  } catch (error) {
    const exit = codeOf(error) === "EACCES" ? "denied" : "failed";
    throw new Failure(exit, `${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}
