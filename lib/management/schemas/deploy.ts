import { boolean, named, object, oneOf, string, type Schema } from "../../base/schema.ts";
import {
  choice,
  count,
  declared,
  fields,
  flag,
  instant,
  list,
  listOf,
  shape,
  text,
} from "../../base/shape.ts";
import type { Problem } from "../../base/problem.ts";
import { nameSchema, shownName } from "../../model/name-schema.ts";
import { deployStates } from "../../publishing/model/deploy.ts";

export const MAX_MESSAGE = 200;

const words = { description: "What changed." };
export const MessageSchema: Schema<string> = nameSchema(MAX_MESSAGE, words);

const activate = boolean({ description: "`false` leaves it `ready`. Default: true." });

/** The body of `createDeploy` when it is no archive. */
export const StarterSchema = named(
  "NewStarter",
  object({ source: oneOf(["starter"]) }, { message: MessageSchema, activate }),
);

/** The body of `updateDeploy`. */
export const DeployPatchSchema = named(
  "DeployPatch",
  object({ pinned: boolean({ description: "Kept by retention." }) }),
);

/** The body of `rollBack`. */
export const RollbackSchema = named(
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

const failure = declared<Problem>({
  ...fields(
    { code: text(), message: text() },
    {
      errors: list(fields({ pointer: text(), code: text(), message: text() })),
      retryAfterSeconds: count(),
    },
  ).json,
  description: "The reason for a failure.",
});

export const deployShape = shape(
  "Deploy",
  {
    id: text("Unguessable: 20 characters."),
    projectId: text("`prj_…`"),
    state: choice(deployStates),
    source: choice(["archive", "starter"]),
    author: text("Name of the token or member that created it."),
    files: count("0 until it is ready."),
    bytes: count("Size of all files together, uncompressed."),
    pinned: flag("Kept by retention."),
    createdAt: instant("When it was started."),
    touchedAt: instant("Last sign of progress while it is being processed."),
  },
  {
    message: declared<string>(shownName(MAX_MESSAGE, words)),
    failure,
    readyAt: instant("When it was complete."),
    activatedAt: instant("When it last became live."),
    supersededAt: instant("When another deploy replaced it."),
  },
);

export const deploysShape = listOf("Deploys", deployShape);

export const deployFilesShape = listOf(
  "DeployFiles",
  shape("DeployFile", {
    path: text("Absolute: `/animals/7/photo.jpg`."),
    sha256: text("Digest of its content, in hex."),
    size: count(),
    type: text("Media type."),
    immutable: flag("Its name contains a hash of its content."),
    encodings: list(fields({ encoding: choice(["br", "gzip"]), size: count() }), {
      description: "Compressed forms that are stored with it.",
    }),
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
