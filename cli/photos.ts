import { open } from "node:fs/promises";

import type { PetstoreClient } from "../domains/operations.ts";
import type { PictureType } from "../lib/index.ts";
import type { Problem } from "../lib/base/problem.ts";
import type { Result } from "../lib/base/result.ts";
import { addPhoto, type PhotoShown, type PictureToSend } from "../lib/management/index.ts";
import { codeOf, Failure, must, reasonOf } from "../settings/failure.ts";
import { optionalText, type Command, type Context } from "./command.ts";
import { accountFlag, environmentFlag, petOperand } from "./fields.ts";
import { operation } from "./operation.ts";
import { confirm, createProgress, writeTable, yesFlag } from "./output.ts";

const where = { account: accountFlag, environment: environmentFlag };

/** A photo that was added, or why a file was refused. */
type Added =
  | { readonly file: string; readonly photo: PhotoShown }
  | { readonly file: string; readonly refused: string };

export const photoCommands: readonly Command[] = [
  operation({
    path: "pets photos add",
    summary: "Add photos to an animal",
    details:
      "JPEG, PNG or WebP of at most 25 MiB and 50 megapixels each. The server decodes each picture and encodes it again, upright, in sizes for pages and feeds: nothing else remains of the file, such as the place where it was taken. The photos are added in the order of the files, behind those that the animal has; it can have 12. A file that is refused is reported and the next one is sent; the exit code is then 1.",
    operands: {
      pet: petOperand,
      files: { placeholder: "FILE", help: "Paths of the pictures.", many: true },
    },
    flags: {
      ...where,
      alt: optionalText("alt", "TEXT", "What the photos show, for people who do not see them."),
    },
    examples: [
      "pets photos add 7 bella.jpg --account acc_7Gk2mQ9xYt4B",
      'pets photos add 7 *.jpg --account acc_7Gk2mQ9xYt4B --alt "Bella in the garden"',
    ],
    before: async ({ operands: { files } }) => {
      const found: { readonly file: string; readonly type: PictureType }[] = [];
      for (const file of files) found.push({ file, type: await typeOf(file) });
      return found;
    },
    call: async (client, { operands: { pet }, flags, context }, files) => {
      const { account, environment, alt } = flags;
      const place = { account, environment, pet };
      // Reports an unknown animal before anything is sent.
      must(await client.call("GET /accounts/:account/:environment/pets/:pet/photos", place));
      const added: Added[] = [];
      const progress = createProgress(context.terminal, context.clock, "photos");
      for (const { file, type } of files) {
        progress.show(added.length, added.length / files.length);
        const picture = await Bun.file(file).bytes();
        const answer = await send(client, { ...place, picture, type, alt }, context).finally(
          progress.clear,
        );
        if (!answer.ok) context.terminal.fault(`${file}: ${answer.failure.message}\n`);
        added.push(
          answer.ok ? { file, photo: answer.value } : { file, refused: answer.failure.message },
        );
      }
      return added;
    },
    show: (added, { context: { terminal } }) => {
      const lines = added.flatMap((one) =>
        "photo" in one ? [`${one.photo.id}  ${one.file}  ${pixelsOf(one.photo)}\n`] : [],
      );
      return terminal.out(lines.join(""));
    },
    exit: (added) => (added.every((one) => "photo" in one) ? "done" : "failed"),
  }),
  operation({
    path: "pets photos list",
    summary: "List the photos of an animal, in their order",
    operands: { pet: petOperand },
    flags: where,
    examples: ["pets photos list 7 --account acc_7Gk2mQ9xYt4B"],
    call: async ({ call }, { operands: { pet }, flags: { account, environment } }) =>
      must(
        await call("GET /accounts/:account/:environment/pets/:pet/photos", {
          account,
          environment,
          pet,
        }),
      ),
    show: (photos, { context: { terminal } }) =>
      writeTable(
        terminal,
        ["ID", "PIXELS", "FOCUS", "ALT"],
        photos.map((photo) => [
          String(photo.id),
          pixelsOf(photo),
          photo.focus === undefined ? "" : `${photo.focus.x}, ${photo.focus.y}`,
          photo.alt ?? "",
        ]),
      ),
  }),
  operation({
    path: "pets photos remove",
    summary: "Remove a photo of an animal",
    operands: {
      pet: petOperand,
      photo: { placeholder: "PHOTO", help: "ID of the photo, as `pets photos list` shows it." },
    },
    flags: { ...where, yes: yesFlag },
    examples: ["pets photos remove 7 2 --account acc_7Gk2mQ9xYt4B --yes"],
    before: ({ flags, operands: { pet, photo }, context }) =>
      confirm(context.terminal, `Remove photo ${photo} of animal ${pet}?`, flags.yes),
    call: async ({ call }, { operands: { pet, photo }, flags: { account, environment } }) =>
      must(
        await call("DELETE /accounts/:account/:environment/pets/:pet/photos/:photo", {
          account,
          environment,
          pet,
          photo,
        }),
      ),
    show: (_, { operands: { photo }, context: { terminal } }) =>
      terminal.err(`Photo ${photo} was removed.\n`),
  }),
];

function pixelsOf({ width, height }: PhotoShown): string {
  return `${width} × ${height}`;
}

/** The first bytes of a file tell its type. The server refuses what is none of these, and says why. */
const SIGNATURE_BYTES = 12;
const MAX_BYTES = 25 * 1_024 * 1_024;

/** Reads the type of a picture. Fails if the file cannot be read or is too large. */
async function typeOf(file: string): Promise<PictureType> {
  try {
    await using opened = await open(file);
    const { size } = await opened.stat();
    if (size > MAX_BYTES) {
      throw new Failure(
        "failed",
        `${file} is larger than 25 MiB, the most that a photo can have. Make it smaller.`,
      );
    }
    const { buffer } = await opened.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0);
    const signature = buffer.toString("latin1");
    if (signature.startsWith("\u0089PNG")) return "image/png";
    return signature.startsWith("RIFF") ? "image/webp" : "image/jpeg";
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = codeOf(error);
    if (code === "ENOENT") throw new Failure("notFound", `The file ${file} does not exist.`);
    const exit = code === "EACCES" ? "denied" : "failed";
    throw new Failure(exit, `${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

/** How often a picture is sent again while the server has no room for it. */
const ATTEMPTS = 20;

async function send(
  client: PetstoreClient,
  picture: PictureToSend,
  { clock }: Context,
): Promise<Result<PhotoShown, Problem>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await addPhoto(client, picture);
    const seconds = answer.ok ? undefined : answer.failure.retryAfterSeconds;
    if (seconds === undefined || attempt === ATTEMPTS) return answer;
    await clock.sleep(seconds * 1_000);
  }
}
