import type { Command } from "./command.ts";
import type { Flag } from "./command.ts";
import { optionEntries } from "../settings/options.ts";
import { environmentName } from "../settings/option.ts";
import { wrap, WIDTH } from "./output.ts";

/** The name in the documentation; `asTyped` replaces it. */
const program = "petstore";

/** Lists the nouns of all commands with their verbs, on one screen, or describes the commands of a group such as `keys`. */
export function overview(commands: readonly Command[], group?: string): string {
  if (group === undefined) {
    return [
      "Petstore manages the animals of shelters and serves them over HTTP.",
      "",
      `Usage: ${program} [COMMAND] [OPTIONS]`,
      "",
      ...columns(nounsOf(commands)),
      "",
      `Without a command, petstore runs \`${program} serve\`.`,
      `\`${program} COMMAND --help\` describes a command, or the commands of a group.`,
      "",
    ].join("\n");
  }
  return [
    `Commands of \`${group}\`.`,
    "",
    `Usage: ${program} ${group} COMMAND [OPTIONS]`,
    "",
    "Commands:",
    ...columns(commands.map(({ path, summary }): [string, string] => [path, summary])),
    "",
    "Examples:",
    ...commands.map(({ examples: [first = ""] }) => `  ${program} ${first}`),
    "",
    `\`${program} ${group} COMMAND --help\` describes a command.`,
    "",
  ].join("\n");
}

/** Returns each noun with its verbs, or a command that is the only one of its noun with its summary. */
function nounsOf(commands: readonly Command[]): readonly (readonly [string, string])[] {
  const byNoun = Map.groupBy(commands, ({ path }) => path.split(" ")[0] ?? path);
  return [...byNoun].map(([noun, ofNoun]) => {
    const [only] = ofNoun;
    if (only !== undefined && ofNoun.length === 1) return [only.path, inShort(only.summary)];
    const verbs = new Set(ofNoun.map(({ path }) => path.split(" ")[1] ?? ""));
    return [noun, [...verbs].join(", ")];
  });
}

/** Longest summary that has a line of its own beside the name of a command. */
const SHORT = 64;

function inShort(summary: string): string {
  return summary.length <= SHORT ? summary : summary.replace(/[,:;].*/, "");
}

/** Describes one command. */
export function helpOf(command: Command): string {
  const { path, summary, details, operands, flags, examples } = command;
  const shownOperands = Object.values(operands);
  const usage = [
    program,
    path,
    ...shownOperands.map(
      (one) => (one.optional ? `[${one.placeholder}]` : one.placeholder) + (one.many ? "…" : ""),
    ),
  ];
  const shownFlags = flags
    .filter(([, { unlisted }]) => unlisted !== true)
    .map(([, flag]): [string, string] => [
      `--${flag.name}${valueOf(flag)}${flag.many ? " …" : ""}`,
      flag.required ? `${flag.help} Required.` : flag.help,
    ]);
  return [
    `${summary}.`,
    ...(details === undefined ? [] : ["", ...wrap(details, WIDTH)]),
    "",
    `Usage: ${usage.join(" ")} [OPTIONS]`,
    ...(shownOperands.length === 0
      ? []
      : ["", "Arguments:", ...columns(shownOperands.map((one) => [one.placeholder, one.help]))]),
    "",
    "Options:",
    ...columns([...shownFlags, ["--help", "Show this help."]]),
    "",
    "Examples:",
    ...examples.map((example) => `  ${program} ${example}`.trimEnd()),
    ...(path === "serve" ? ["", ...environmentHelp()] : []),
    "",
  ].join("\n");
}

function valueOf({ placeholder, bare }: Flag<unknown>): string {
  if (placeholder === undefined) return "";
  return bare === undefined ? ` ${placeholder}` : ` [${placeholder}]`;
}

function environmentHelp(): readonly string[] {
  const secrets = optionEntries.filter(([, { secret }]) => secret === true);
  return [
    "Environment and file:",
    ...wrap(
      `Every option is also an environment variable, such as ${environmentName("data-dir")} for --data-dir, and a key of the --config file, such as "data-dir". Flags override the environment, which overrides the file.`,
      WIDTH - 2,
    ).map((line) => `  ${line}`),
    "",
    "Secrets have no flags:",
    ...columns(
      secrets.map(([, { name, help, defaultText }]) => [
        `${environmentName(name)}, ${environmentName(name)}_FILE`,
        `${help} Default: ${defaultText}.`,
      ]),
    ),
  ];
}

/** Formats two columns; a left side that is too long has its own line. */
function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const fitting = rows.map(([left]) => left.length).filter((length) => length <= 26);
  const indent = Math.max(0, ...fitting) + 4;
  return rows.flatMap(([left, right]) => {
    const [first = "", ...rest] = wrap(right, WIDTH - indent);
    const beside = left.length + 4 <= indent;
    return [
      beside ? `  ${left.padEnd(indent - 2)}${first}` : `  ${left}`,
      ...(beside ? rest : [first, ...rest]).map((line) => " ".repeat(indent) + line),
    ];
  });
}
