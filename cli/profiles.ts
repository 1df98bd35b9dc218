import type { PetstoreOperations } from "../domains/operations.ts";
import { readableMinute } from "../lib/base/readable.ts";
import { done, refused } from "../lib/base/result.ts";
import {
  animalSizes,
  goodWithAnswers,
  MAX_PROFILE_TEXT,
  sexes,
  type Birth,
  type Pet,
  type ProfileChanges,
} from "../lib/index.ts";
import { Failure, must } from "../settings/failure.ts";
import { oneOf, quoted, type Parse } from "../settings/values.ts";
import { optional, optionalText, repeated, type Command, type Context } from "./command.ts";
import { accountFlag, environmentFlag, given, petOperand } from "./fields.ts";
import { operation } from "./operation.ts";
import { writeTable } from "./output.ts";

const PET = "/accounts/:account/:environment/pets/:pet";

type Profile =
  PetstoreOperations["GET /accounts/:account/:environment/pets/:pet/profile"]["output"];

const inCatalogue = { account: accountFlag, environment: environmentFlag };

const yesOrNo: Parse<boolean> = (written) =>
  written === "yes" || written === "no"
    ? done(written === "yes")
    : refused(`must be yes or no, not ${quoted(written)}`);

/** Parses `2024`, `2024-03` or `2024-03-01`. The service checks the day. */
const birth: Parse<Birth> = (written) => {
  const [whole, month, day] = /^\d{4}(?:-(\d\d)(?:-(\d\d))?)?$/.exec(written) ?? [];
  if (whole === undefined) {
    return refused(
      `must be a date, a month or a year, such as 2024-03-01, 2024-03 or 2024, not ${quoted(written)}`,
    );
  }
  const date = `${whole.slice(0, 4)}-${month ?? "01"}-${day ?? "01"}`;
  return done({
    date,
    precision: day === undefined ? (month === undefined ? "year" : "month") : "day",
  });
};

const goodWithFlag = (companion: string) =>
  optional({
    name: `good-with-${companion}`,
    placeholder: "ANSWER",
    help: `Whether the animal gets on with ${companion}: ${goodWithAnswers.join(", ")}.`,
    parse: oneOf(goodWithAnswers),
  });

/** The members that `--remove` accepts. */
const members = [
  "sex",
  "neutered",
  "birth",
  "breed",
  "colour",
  "size",
  "goodWith",
  "specialNeeds",
  "fee",
  "text",
  "staffNotes",
  "microchip",
  "externalId",
  "source",
  "intakeAt",
] as const satisfies readonly (keyof ProfileChanges)[];

export const profileCommands: readonly Command[] = [
  operation({
    path: "pets show",
    summary: "Show an animal and its profile",
    operands: { pet: petOperand },
    flags: inCatalogue,
    examples: ["pets show 7 --account acc_7Gk2mQ9xYt4B"],
    call: async ({ call }, { flags: { account, environment }, operands }) => {
      const at = { account, environment, ...operands };
      const pet = must(await call(`GET ${PET}`, at));
      return { ...pet, profile: must(await call(`GET ${PET}/profile`, at)) };
    },
    show: ({ profile, ...pet }, { context }) => showProfile(pet, profile, context),
  }),
  operation({
    path: "pets set",
    summary: "Change the profile of an animal",
    details:
      "Only the options that are given change. --remove makes members of the profile unknown, by their names in the API. Photos are not part of this command.",
    operands: { pet: petOperand },
    flags: {
      ...inCatalogue,
      sex: optional({
        name: "sex",
        placeholder: "SEX",
        help: `${sexes.join(", ")}.`,
        parse: oneOf(sexes),
      }),
      neutered: optional({
        name: "neutered",
        placeholder: "ANSWER",
        help: "yes or no.",
        parse: yesOrNo,
      }),
      birth: optional({
        name: "birth",
        placeholder: "DATE",
        help: "Date of birth; its month, such as 2024-03; or only the year, such as 2024.",
        parse: birth,
      }),
      breed: optionalText("breed", "TEXT", "The breed."),
      mixed: optional({
        name: "mixed",
        placeholder: "ANSWER",
        help: "Whether the animal is a mix of breeds: yes or no.",
        parse: yesOrNo,
      }),
      colour: optionalText("colour", "TEXT", "The colour."),
      size: optional({
        name: "size",
        placeholder: "SIZE",
        help: `${animalSizes.join(", ")}.`,
        parse: oneOf(animalSizes),
      }),
      children: goodWithFlag("children"),
      dogs: goodWithFlag("dogs"),
      cats: goodWithFlag("cats"),
      specialNeeds: optionalText("special-needs", "TEXT", "What the animal needs in particular."),
      fee: optionalText("fee", "TEXT", 'The adoption fee, such as "€ 250".'),
      text: optionalText("text", "TEXT", "The animal's story, as Markdown."),
      textFile: optionalText(
        "text-file",
        "FILE",
        "File with the animal's story, in place of --text.",
      ),
      staffNotes: optionalText(
        "staff-notes",
        "TEXT",
        "Notes for staff, which are never published.",
      ),
      microchip: optionalText(
        "microchip",
        "TEXT",
        "The microchip's number, which is never published.",
      ),
      externalId: optionalText(
        "external-id",
        "TEXT",
        "The animal's number in the system that it comes from.",
      ),
      source: optionalText(
        "source",
        "TEXT",
        "The system that the animal comes from, such as asm3.",
      ),
      intakeAt: optionalText(
        "intake",
        "DATE",
        "When you took the animal in: a date, or a time such as 2026-11-20T09:30:00Z.",
      ),
      remove: repeated({
        name: "remove",
        placeholder: "MEMBER",
        help: `Make this unknown: ${members.join(", ")}.`,
        parse: oneOf(members),
      }),
    },
    examples: [
      "pets set 7 --account acc_7Gk2mQ9xYt4B --sex female --birth 2024-03 --size medium",
      'pets set 7 --account acc_7Gk2mQ9xYt4B --breed "Border Collie" --good-with-dogs yes --text-file bella.md',
      "pets set 7 --account acc_7Gk2mQ9xYt4B --remove fee,specialNeeds",
    ],
    before: async ({ flags }) => {
      const { breed: text, mixed, children, dogs, cats, textFile, remove = [], ...rest } = flags;
      if (rest.text !== undefined && textFile !== undefined) {
        throw new Failure(
          "usage",
          "--text and --text-file both set the text: leave out one of them.",
        );
      }
      const { sex, neutered, birth: born, colour, size, specialNeeds, fee, staffNotes } = rest;
      const { microchip, externalId, source, intakeAt } = rest;
      const changes: ProfileChanges = {
        ...given({ sex, neutered, birth: born, colour, size, specialNeeds, fee, staffNotes }),
        ...given({ microchip, externalId, source, intakeAt }),
        ...given({ text: textFile === undefined ? rest.text : await textIn(textFile) }),
        ...some("breed", given({ text, mixed })),
        ...some("goodWith", given({ children, dogs, cats })),
      };
      const set = remove.find((name) => name in changes);
      if (set !== undefined)
        throw new Failure("usage", `--remove ${set} contradicts the option that sets it.`);
      const body = { ...changes, ...Object.fromEntries(remove.map((name) => [name, null])) };
      if (Object.keys(body).length === 0) {
        throw new Failure("usage", "Nothing to change: pass an option such as --sex female.");
      }
      return body;
    },
    call: async ({ call }, { flags: { account, environment }, operands }, body) => {
      const at = { account, environment, ...operands };
      const profile = must(await call(`PATCH ${PET}/profile`, { ...at, body }));
      return { ...must(await call(`GET ${PET}`, at)), profile };
    },
    show: ({ profile, ...pet }, { context }) => showProfile(pet, profile, context),
  }),
];

/** Returns an object with the member, if that has members itself. */
function some<Name extends string, Value extends object>(
  name: Name,
  value: Value,
): { readonly [One in Name]?: Value } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (Object.keys(value).length === 0 ? {} : { [name]: value }) as { [One in Name]?: Value };
}

async function textIn(path: string): Promise<string> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new Failure("notFound", `The file ${path} does not exist.`);
  // The service counts the characters, and says what is too long.
  if (file.size > 4 * MAX_PROFILE_TEXT) {
    throw new Failure(
      "failed",
      `${path} has ${file.size} bytes; a text has at most ${MAX_PROFILE_TEXT}.`,
    );
  }
  return file.text();
}

async function showProfile(
  { id, categoryId: _category, ...pet }: Pet,
  profile: Profile,
  { terminal }: Context,
): Promise<void> {
  const { birth: born, breed, goodWith = {}, intakeAt, photos = [], ...plain } = profile;
  const known = { day: 10, month: 7, year: 4 }[born?.precision ?? "day"];
  const rows = Object.entries({
    pet: id,
    ...pet,
    ...plain,
    birth: born?.date.slice(0, known),
    breed: breed?.text,
    mixed: breed?.mixed,
    ...Object.fromEntries(Object.entries(goodWith).map(([who, is]) => [`good with ${who}`, is])),
    intake: intakeAt === undefined ? undefined : readableMinute(intakeAt),
    photos: photos.length === 0 ? undefined : photos.length,
  }).flatMap(([field, value]) => (value === undefined ? [] : [[field, shown(value)]]));
  await writeTable(terminal, ["FIELD", "VALUE"], rows);
}

/** Returns a value on one line. */
function shown(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const line = String(value).replaceAll(/\s*\n\s*/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
