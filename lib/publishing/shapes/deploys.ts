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
  describedAs,
  orNull,
} from "../../base/shape.ts";
import { deployFailureShape, deployStates } from "../../model/deploy-states.ts";
import { nameSchema, shownName } from "../../model/name-schema.ts";
import { unusedReasons } from "../model/animal-files.ts";

export const MAX_MESSAGE = 200;

const words = { description: "What changed." };
export const MessageSchema: Schema<string> = nameSchema(MAX_MESSAGE, words);

const activate = boolean({ description: "`false` leaves the deploy `ready`. Default: true." });

/** The body of `createDeploy` without an archive. */
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
      to: string((id) => (/^[a-z0-9]{1,40}$/.test(id) ? undefined : "must be the ID of a deploy"), {
        pattern: "^[a-z0-9]{1,40}$",
        description: "The deploy to go back to. Default: the one that was live before.",
      }),
    },
  ),
);

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
    failure: deployFailureShape,
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

/** An example of a deploy. */
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

/** An example of a deploy's file. */
export const deployFileExample: Readonly<Record<string, unknown>> = {
  path: "/index.html",
  sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  size: 5_120,
  type: "text/html; charset=utf-8",
  immutable: false,
  encodings: [{ encoding: "br", size: 1_402 }],
};

/** The events of a followed deploy. */
export const deployEvents: string =
  "`progress` with `{deployId, state, files, bytes}` repeatedly, and finally `done` with the deploy or `problem` " +
  "with the Error body.";

/** An example of a site file. */
export const siteFileExample: Readonly<Record<string, unknown>> = {
  title: "Brightside Animal Shelter",
  theme: { accent: "#b04a26" },
  domains: { primary: "pets.shelter.org" },
};

const path = text("Absolute: `/animals/7/photo.jpg`.");
const bytes = count();
const file = shape("NamedFile", { path, bytes });
const changedFile = shape("ChangedFile", { path, bytes, bytesBefore: count() });
const counts = shape("DiffCounts", {
  added: count(),
  changed: count(),
  removed: count(),
  same: count(),
});
const atMost = { maxItems: 200 };

const gone = shape("GoneFiles", {
  files: count("Files whose paths are no longer there, except those with a hash in their names."),
  photosOf: count("Animals that lose the photo which the other deploy gave them."),
  textsOf: count("Animals that lose the text which the other deploy gave them."),
  siteFile: flag("`petstore.site.json` is gone, with its settings."),
});

const unused = shape("UnusedFile", {
  path,
  reason: choice(
    unusedReasons,
    "`folder`: the folder is not an animal's ID. `place`: not directly in an animal's folder. `photo_name`: not called `photo`. " +
      "`photo_format`: not JPEG, PNG, WebP or AVIF. `text_name`: not called `bio.md`. `unknown_animal`: Production has no animal of this ID. " +
      "`text_too_long`: larger than 64 KiB. `text_not_utf8`: not UTF-8.",
  ),
});

export const deployDiffShape = shape("DeployDiff", {
  against: orNull(text("ID of the deploy that it was compared with.")),
  added: list(file, atMost),
  changed: list(changedFile, atMost),
  removed: list(file, atMost),
  counts: describedAs(counts, "Numbers of all files, including those not listed."),
  gone: describedAs(gone, "What visitors would miss if this deploy replaced the other one."),
  unused: list(unused, {
    ...atMost,
    description: "Files below `animals/` that the storefront does not use.",
  }),
  more: flag("There are more files than are listed."),
});

export const deployDiffExample: Readonly<Record<string, unknown>> = {
  against: "k3x9bq2mz7lt0a8fj2kq",
  added: [{ path: "/animals/7/photo.jpg", bytes: 48_213 }],
  changed: [{ path: "/index.html", bytes: 5_120, bytesBefore: 4_872 }],
  removed: [],
  counts: { added: 1, changed: 1, removed: 0, same: 38 },
  gone: { files: 0, photosOf: 0, textsOf: 0, siteFile: false },
  unused: [{ path: "/animals/7/IMG_0001.jpg", reason: "photo_name" }],
  more: false,
};
