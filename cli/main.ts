import { nearest } from "../lib/base/nearest.ts";
import { StoreUnavailable, UnsuitableDatabase } from "../lib/index.ts";
import { parseArguments } from "./arguments.ts";
import type { Command, Context } from "./command.ts";
import { commands } from "./commands.ts";
import { completionIds, IDS_PROCESS } from "./completion/ids.ts";
import { BACKUP_PROCESS, backupProcess } from "../server/backup/child.ts";
import { PICTURES_PROCESS, picturesProcess } from "../server/pictures/process.ts";
import { exitCodes, Failure, type Exit, codeOf } from "../settings/failure.ts";
import { helpOf, overview } from "./help.ts";
import { asTyped } from "../lib/base/commands.ts";
import { helpAsTyped } from "./program.ts";

/** Runs the command that the arguments name; resolves with the exit code. */
export async function main(args: readonly string[], context: Context): Promise<number> {
  try {
    return exitCodes[await dispatch(args, context)];
  } catch (error) {
    return exitCodes[report(error, context)];
  }
}

async function dispatch(args: readonly string[], context: Context): Promise<Exit> {
  const [first, ...rest] = args;
  if (first === BACKUP_PROCESS) {
    await backupProcess(context.clock);
    return "done";
  }
  if (first === PICTURES_PROCESS) {
    await picturesProcess();
    return "done";
  }
  if (first === IDS_PROCESS) {
    await completionIds(rest, context);
    return "done";
  }
  if (first === "--version" || first === "-V") return descend("version", rest, context);
  if (first === "help") return dispatch([...rest, "--help"], context);
  if (first === undefined || (first.startsWith("-") && !isHelp(first))) {
    return descend("serve", args, context);
  }
  return descend("", args, context);
}

/** Runs the command `typed`, or descends into the group of that name; the group "" has all commands. */
async function descend(typed: string, args: readonly string[], context: Context): Promise<Exit> {
  const command = commands.find(({ path }) => path === typed);
  if (command !== undefined) return runCommand(command, args, context);
  const { terminal } = context;
  const [next, ...rest] = args;
  const prefix = typed === "" ? "" : `${typed} `;
  const group = commands.filter(({ path }) => path.startsWith(prefix));
  const shown = (): string =>
    helpAsTyped(overview(group, typed === "" ? undefined : typed), context.program);
  if (next === undefined) {
    terminal.err(shown());
    return "usage";
  }
  if (isHelp(next)) {
    await terminal.out(shown());
    return "done";
  }
  const longer = `${prefix}${next}`;
  if (!group.some(({ path }) => path === longer || path.startsWith(`${longer} `))) {
    throw unknownCommand(prefix, next, group);
  }
  return descend(longer, rest, context);
}

async function runCommand(
  command: Command,
  args: readonly string[],
  context: Context,
): Promise<Exit> {
  const end = args.indexOf("--");
  if ((end === -1 ? args : args.slice(0, end)).some(isHelp)) {
    await context.terminal.out(helpAsTyped(helpOf(command), context.program));
    return "done";
  }
  const parsed = parseArguments(command, args);
  if (!parsed.ok) {
    const [only = "", ...more] = parsed.failure;
    const all = parsed.failure.map((fault) => `  ${fault}`).join("\n");
    const message =
      more.length === 0 ? sentence(only) : `The arguments have several errors:\n${all}`;
    const help = `\`${context.program} ${command.path} --help\` shows the options.`;
    throw new Failure("usage", `${message}\n${help}`);
  }
  return command.run(parsed.value.values, parsed.value.operands, context);
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

function isHelp(arg: string): boolean {
  return arg === "--help" || arg === "-h";
}

function unknownCommand(prefix: string, typed: string, group: readonly Command[]): Failure {
  const names = group.map(({ path }) => path.slice(prefix.length).split(" ")[0] ?? path);
  const meant = nearest(typed, [...new Set(names)]);
  const hint =
    meant !== undefined
      ? `Did you mean ${prefix}${meant}?`
      : prefix === ""
        ? "`petstore --help` lists all commands."
        : `Commands: ${[...new Set(names)].join(", ")}.`;
  return new Failure("usage", `Unknown command ${JSON.stringify(prefix + typed)}. ${hint}`);
}

/** Prints what ended the command; returns the exit code. */
function report(error: unknown, { terminal, program }: Context): Exit {
  const { style } = terminal;
  const say = (message: string): void =>
    terminal.fault(`${style.red("petstore:")} ${asTyped(message, program)}\n`);
  if (error instanceof Failure) {
    say(error.message);
    return error.exit;
  }
  if (error instanceof UnsuitableDatabase) {
    say(error.message);
    return "configuration";
  }
  if (error instanceof StoreUnavailable) {
    say(`${error.message} Try again later.`);
    return "tryLater";
  }
  // The reader of our output has closed it, as `head` does.
  if (codeOf(error) === "EPIPE") return "failed";
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return "failed";
}
