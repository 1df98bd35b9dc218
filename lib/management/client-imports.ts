import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { InputOf, OperationsOf } from "../http/operation.ts";
import type { importEndpoints } from "../import/routes/imports.ts";
import type { ImportView } from "../import/job/shapes.ts";
import { readAnswer } from "./client.ts";

const CREATE = "POST /accounts/:account/:environment/imports";

type Input = InputOf<OperationsOf<ReturnType<typeof importEndpoints>>[typeof CREATE]>;

/** A file of animals to be uploaded. */
export interface ImportFile extends Pick<Input, "account" | "environment"> {
  /** To be shown; empty if the file has none. */
  readonly fileName: string;
  readonly content: ReadableStream<Uint8Array>;
}

/** The part of a `ManagementClient` that an upload needs. */
export interface ImportUploads {
  open(operation: typeof CREATE, input: Omit<Input, "body">, init: RequestInit): Promise<Response>;
}

/** Uploads a file of animals, which the server then reads. */
export async function uploadImport(
  client: ImportUploads,
  { account, environment, fileName, content }: ImportFile,
): Promise<Result<ImportView, Problem>> {
  const query = fileName === "" ? {} : { fileName };
  const response = await client.open(
    CREATE,
    { account, environment, query },
    {
      headers: { "content-type": "application/octet-stream" },
      body: content,
      // The length of a stream is unknown when it is sent (Fetch §5.4); older types lack the member.
      ...{ duplex: "half" },
    },
  );
  return readAnswer(response);
}
