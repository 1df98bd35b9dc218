import type { Command } from "./command.ts";
import type { Flag } from "./command.ts";
import { environmentName, optionEntries } from "../settings/options.ts";
import { wrap, WIDTH } from "./output.ts";

/** The name in the documentation; `asTyped` replaces it. */
const program = "petstore";

/** Lists all commands, or those of a group such as `keys`. */
export function overview(commands: readonly Command[], group?: string): string {
  const named = commands.map(({ path, summary }): [string, string] => [path, summary]);
  const of = group === undefined ? "[COMMAND]" : `${group} COMMAND`;
  return [
    group === undefined
      ? "Petstore manages the animals of shelters and serves them over HTTP."
      : `Commands of \`${group}\`.`,
    "",
    `Usage: ${program} ${of} [OPTIONS]`,
    "",
    "Commands:",
    ...columns(named),
    "",
    "Examples:",
    ...commands
      .filter(({ path }) => group !== undefined || featured.has(path))
      .map(({ examples: [first = ""] }) => `  ${program} ${first}`.trimEnd()),
    "",
    ...(group === undefined ? [`Without a command, petstore runs \`${program} serve\`.`] : []),
    `\`${program} ${group === undefined ? "" : `${group} `}COMMAND --help\` describes a command.`,
    "",
  ].join("\n");
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

const featured: ReadonlySet<string> = new Set([
  "serve",
  "accounts create",
  "keys create",
  "pets import",
  "projects create",
  "deploy",
  "domains add",
]);

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
