import { boolean, named, object, oneOf, string, type Schema } from "../../base/schema.ts";
import { nameSchema, shownName } from "../../model/name-schema.ts";
import { deployStates } from "../../publishing/model/deploy.ts";
import { instant, listOf, shape, text, type Shape } from "./shape.ts";

export const MAX_MESSAGE = 200;

const words = { description: "What changed." };
export const MessageSchema: Schema<string> = nameSchema(MAX_MESSAGE, words);

const activate = boolean({ description: "`false` leaves it `ready`. Default: true." });

/** The body of `createDeploy` when it is no archive. */
export const StarterSchema: Schema<{
  readonly source: "starter";
  readonly message?: string | undefined;
  readonly activate?: boolean | undefined;
}> & { readonly name: string } = named(
  "NewStarter",
  object({ source: oneOf(["starter"]) }, { message: MessageSchema, activate }),
);

/** The body of `updateDeploy`. */
export const DeployPatchSchema: Schema<{ readonly pinned: boolean }> & { readonly name: string } =
  named("DeployPatch", object({ pinned: boolean({ description: "Kept by retention." }) }));

/** The body of `rollBack`. */
export const RollbackSchema: Schema<{ readonly to?: string | undefined }> & {
  readonly name: string;
} = named(
  "Rollback",
  object(
    {},
    {
      to: string((id) => (/^[a-z0-9]{1,40}$/.test(id) ? undefined : "must be the id of a deploy"), {
        pattern: "^[a-z0-9]{1,40}$",
        description: "The deploy to go back to. Default: the one that was live before.",
      }),
    },
  ),
);

const count = { type: "integer", format: "int64", minimum: 0 };

const failure = {
  type: "object",
  required: ["code", "message"],
  properties: {
    code: { type: "string" },
    message: { type: "string" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["pointer", "code", "message"],
        properties: {
          pointer: { type: "string" },
          code: { type: "string" },
          message: { type: "string" },
        },
        additionalProperties: false,
      },
    },
    retryAfterSeconds: count,
  },
  additionalProperties: false,
  description: "Why it failed.",
};

export const deployShape: Shape = shape(
  "Deploy",
  {
    id: text("Unguessable: 20 characters."),
    projectId: text("`prj_…`"),
    state: { type: "string", enum: deployStates },
    source: { type: "string", enum: ["archive", "starter"] },
    author: text("Whose token it came with."),
    files: { ...count, description: "0 until it is ready." },
    bytes: { ...count, description: "Of all files together, uncompressed." },
    pinned: { type: "boolean", description: "Kept by retention." },
    createdAt: instant("When it was begun."),
    touchedAt: instant("Last sign of life while it is being made."),
  },
  {
    message: shownName(MAX_MESSAGE, words),
    failure,
    readyAt: instant("When it was complete."),
    activatedAt: instant("When it last became live."),
    supersededAt: instant("When another took its place."),
  },
);

export const deploysShape: Shape = listOf("Deploys", deployShape);

export const deployFilesShape: Shape = listOf(
  "DeployFiles",
  shape("DeployFile", {
    path: text("Absolute: `/animals/7/photo.jpg`."),
    sha256: text("Of its content, in hex."),
    size: count,
    type: text("Media type."),
    immutable: { type: "boolean", description: "Its name holds a hash of its content." },
    encodings: {
      type: "array",
      description: "What it is also kept as, compressed.",
      items: {
        type: "object",
        required: ["encoding", "size"],
        properties: { encoding: { type: "string", enum: ["br", "gzip"] }, size: count },
        additionalProperties: false,
      },
    },
  }),
);

/** What a deploy looks like. */
export const deployExample: Readonly<Record<string, unknown>> = {
  id: "k3x9bq2mz7lt0a8fj2kq",
  projectId: "prj_8fJ2kQ0aZx1B",
  state: "live",
  source: "archive",
  message: "Photos of the new kittens",
  author: "CI",
  files: 40,
  bytes: 1_482_113,
  pinned: false,
  createdAt: "2026-11-20T09:30:00.000Z",
  touchedAt: "2026-11-20T09:30:00.000Z",
  readyAt: "2026-11-20T09:30:00.412Z",
  activatedAt: "2026-11-20T09:30:00.415Z",
};

/** What a file of a deploy looks like. */
export const deployFileExample: Readonly<Record<string, unknown>> = {
  path: "/index.html",
  sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  size: 5_120,
  type: "text/html; charset=utf-8",
  immutable: false,
  encodings: [{ encoding: "br", size: 1_402 }],
};

/** What is told of a deploy that is followed. */
export const deployEvents: string =
  "`progress` with `{deployId, state, files, bytes}` as it goes on, and at last `done` with the deploy or `problem` " +
  "with the Error body.";

/** What the site file of a deploy looks like. */
export const siteFileExample: Readonly<Record<string, unknown>> = {
  title: "Brightside Animal Shelter",
  theme: { accent: "#b04a26" },
  domains: { primary: "pets.shelter.org" },
};
