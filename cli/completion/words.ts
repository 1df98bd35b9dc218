import type { Command, Flag, Operand } from "../command.ts";

/** What can be completed from the running server. */
export const idKinds = ["accounts", "projects", "domains"] as const;
export type IdKind = (typeof idKinds)[number];

/** What completes a value. */
export type Completion =
  | { readonly kind: "nothing" | "file" | "directory" }
  | { readonly kind: "choices"; readonly choices: readonly string[] }
  | { readonly kind: "ids"; readonly of: IdKind };

/** An option of a command. */
export interface Option {
  /** `--plan` */
  readonly written: string;
  readonly help: string;
  /** Undefined for an option without a value. */
  readonly value: (Completion & { readonly placeholder: string }) | undefined;
  /** Works without its value, too. */
  readonly bare: boolean;
  readonly many: boolean;
}

/** An argument of a command. */
export interface Argument {
  readonly placeholder: string;
  readonly completion: Completion;
  readonly optional: boolean;
  readonly many: boolean;
}

/** What can follow after the words of a group or a command. */
export interface Place {
  /** `keys create`, or `keys`; empty for the program itself. */
  readonly path: string;
  /** The next words, with what they do. */
  readonly next: readonly { readonly word: string; readonly help: string }[];
  readonly options: readonly Option[];
  readonly operands: readonly Argument[];
}

const BY_PLACEHOLDER: Readonly<Record<string, Completion>> = {
  FILE: { kind: "file" },
  "FILE|DIRECTORY|s3://…": { kind: "file" },
  DIR: { kind: "directory" },
  DIRECTORY: { kind: "directory" },
  ACCOUNT: { kind: "ids", of: "accounts" },
  PROJECT: { kind: "ids", of: "projects" },
  DOMAIN: { kind: "ids", of: "domains" },
  FROM: { kind: "ids", of: "domains" },
  TO: { kind: "ids", of: "domains" },
};

/** Their domain does not exist yet. */
const NEW: ReadonlySet<string> = new Set(["domains add"]);

const HELP: Option = {
  written: "--help",
  help: "Show this help",
  value: undefined,
  bare: false,
  many: false,
};

/** Returns everything that can be typed: the groups and the commands, in the order of their declarations. */
export function placesOf(commands: readonly Command[]): readonly Place[] {
  const paths = new Set([""]);
  for (const { path } of commands) {
    const words = path.split(" ");
    for (const [index] of words.entries()) paths.add(words.slice(0, index + 1).join(" "));
  }
  return [...paths].map((path): Place => {
    const own = commands.find((one) => one.path === path);
    return {
      path,
      next: nextOf(path, commands),
      options: [...(own?.flags ?? []).flatMap(([, flag]) => optionOf(flag, own)), HELP],
      operands: Object.values(own?.operands ?? {}).map((operand) => argumentOf(operand, own)),
    };
  });
}

/** Returns the words that may follow those of `path`. */
function nextOf(path: string, commands: readonly Command[]): Place["next"] {
  const prefix = path === "" ? "" : `${path} `;
  const below = commands.filter((one) => one.path.startsWith(prefix) && one.path !== path);
  const words = new Set(below.map((one) => one.path.slice(prefix.length).split(" ")[0] ?? ""));
  return [...words].map((word) => {
    const own = below.find((one) => one.path === prefix + word);
    const verbs = nextOf(prefix + word, below).map((one) => one.word);
    return { word, help: own?.summary ?? verbs.join(", ") };
  });
}

function optionOf(flag: Flag<unknown>, command: Command | undefined): readonly Option[] {
  const { name, placeholder, help, bare, many, unlisted } = flag;
  if (unlisted === true) return [];
  const value =
    placeholder === undefined
      ? undefined
      : { ...completionOf({ ...flag, placeholder }, command), placeholder };
  return [
    {
      written: `--${name}`,
      help: firstSentence(help),
      value,
      bare: bare !== undefined,
      many: many === true,
    },
  ];
}

function argumentOf(operand: Operand, command: Command | undefined): Argument {
  const { placeholder, optional, many } = operand;
  return {
    placeholder,
    completion: completionOf(operand, command),
    optional: optional === true,
    many: many === true,
  };
}

function completionOf(
  {
    placeholder,
    choices,
  }: { readonly placeholder: string; readonly choices?: readonly string[] | undefined },
  command: Command | undefined,
): Completion {
  if (choices !== undefined) return { kind: "choices", choices };
  const known = BY_PLACEHOLDER[placeholder];
  if (known === undefined || known.kind !== "ids") return known ?? { kind: "nothing" };
  // The options of a server name domains that are not in it.
  const asks = command?.flags.some(([, { name }]) => name === "server") === true;
  return asks && !NEW.has(command.path) ? known : { kind: "nothing" };
}

function firstSentence(help: string): string {
  const [sentence = ""] = help.split(/(?<=[.:;]) /);
  return sentence.replace(/[.:;]$/, "");
}

/** Quotes a text for a shell in single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
