import type { Command } from "./command.ts";
import type { Flag } from "./flag.ts";
import { environmentName, optionEntries } from "../settings/options.ts";
import { wrap } from "./wrap.ts";

const WIDTH = 80;
/** As documentation names it, wherever the executable is. */
const program = "petstore";

/** All commands, or those of a group such as `keys`. */
export function overview(commands: readonly Command[], group?: string): string {
  const named = commands.map(({ path, summary }): [string, string] => [path, summary]);
  const of = group === undefined ? "[COMMAND]" : `${group} COMMAND`;
  return [
    group === undefined
      ? "Petstore keeps the animals of shelters and serves them over HTTP."
      : `The commands of ${group}.`,
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
    ...(group === undefined ? [`Without a command it is \`${program} serve\`.`] : []),
    `\`${program} ${group === undefined ? "" : `${group} `}COMMAND --help\` tells more of each.`,
    "",
  ].join("\n");
}

/** Everything about one command. */
export function helpOf(command: Command): string {
  const { path, summary, details, operands, flags, examples } = command;
  const shownOperands = Object.values(operands);
  const usage = [
    program,
    path,
    ...shownOperands.map((one) => (one.optional ? `[${one.placeholder}]` : one.placeholder)),
  ];
  const shownFlags = flags.map(([, flag]): [string, string] => [
    `--${flag.name}${valueOf(flag)}${flag.many ? " …" : ""}`,
    flag.required ? `${flag.help} Needed.` : flag.help,
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
    ...columns([...shownFlags, ["--help", "Show this."]]),
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
  const secrets = optionEntries.filter(([, { secret }]) => secret);
  return [
    "Environment and file:",
    ...wrap(
      `Every option is also an environment variable, as ${environmentName("data-dir")} for --data-dir, and a key of the file of --config, as "data-dir". Flags win over the environment, the environment over the file.`,
      WIDTH - 2,
    ).map((line) => `  ${line}`),
    "",
    "Secrets have no flag:",
    ...columns(
      secrets.map(([, { name, help, otherwise }]) => [
        `${environmentName(name)}, ${environmentName(name)}_FILE`,
        `${help} Default: ${otherwise}.`,
      ]),
    ),
  ];
}

/** Two columns; a left side that is too long has its line to itself. */
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
