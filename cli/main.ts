import { nearest } from "../lib/base/nearest.ts";
import { StoreUnavailable } from "../lib/index.ts";
import { parseArguments } from "./arguments.ts";
import type { Command, Context } from "./command.ts";
import { commands } from "./commands.ts";
import { exitCodes, Failure, type Exit, codeOf } from "../settings/failure.ts";
import { helpOf, overview } from "./help.ts";

/** Runs the command that the arguments name; resolves with the exit code. */
export async function main(args: readonly string[], context: Context): Promise<number> {
  try {
    return exitCodes[await dispatch(args, context)];
  } catch (error) {
    return exitCodes[report(error, context)];
  }
}

async function dispatch(args: readonly string[], context: Context): Promise<Exit> {
  const { terminal } = context;
  const [first] = args;
  if (first === "--version" || first === "-V")
    return dispatch(["version", ...args.slice(1)], context);
  if (first === "help") return dispatch([...args.slice(1), "--help"], context);
  const typed = first === undefined || (first.startsWith("-") && !isHelp(first)) ? "serve" : first;
  const rest = typed === "serve" && first !== "serve" ? args : args.slice(1);
  if (isHelp(typed)) {
    await terminal.out(overview(commands));
    return "done";
  }

  if (below(typed).length === 0 && !commands.some(({ path }) => path === typed)) {
    throw unknownCommand(typed);
  }
  return descend(typed, rest, context);
}

/** Returns the commands of a group such as `keys` or `certs account`. */
function below(group: string): readonly Command[] {
  return commands.filter(({ path }) => path.startsWith(`${group} `));
}

/** Runs the command `typed`, or descends into the group of that name. */
async function descend(
  typed: string,
  [next, ...rest]: readonly string[],
  context: Context,
): Promise<Exit> {
  const { terminal } = context;
  const command = commands.find(({ path }) => path === typed);
  if (command !== undefined) {
    return runCommand(command, next === undefined ? [] : [next, ...rest], context);
  }
  const group = below(typed);
  if (next === undefined) {
    terminal.err(overview(group, typed));
    return "usage";
  }
  if (isHelp(next)) {
    await terminal.out(overview(group, typed));
    return "done";
  }
  const longer = `${typed} ${next}`;
  const known = group.some(({ path }) => path === longer || path.startsWith(`${longer} `));
  if (!known) throw unknownOf(typed, next, group);
  return descend(longer, rest, context);
}

async function runCommand(
  command: Command,
  args: readonly string[],
  context: Context,
): Promise<Exit> {
  const end = args.indexOf("--");
  if ((end === -1 ? args : args.slice(0, end)).some(isHelp)) {
    await context.terminal.out(helpOf(command));
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

/** Planned commands, reported as such. */
const laterCommands: ReadonlySet<string> = new Set(["backup", "restore", "demo", "completion"]);

function unknownCommand(typed: string): Failure {
  if (laterCommands.has(typed)) return new Failure("usage", `${typed}: not in this version.`);
  const first = commands.map(({ path }) => path.split(" ")[0] ?? path);
  const meant = nearest(typed, [...new Set(first)]);
  const hint =
    meant === undefined ? "`petstore --help` lists all commands." : `Did you mean ${meant}?`;
  return new Failure("usage", `Unknown command ${JSON.stringify(typed)}. ${hint}`);
}

function unknownOf(group: string, typed: string, among: readonly Command[]): Failure {
  const names = among.map(({ path }) => path.slice(group.length + 1));
  const meant = nearest(typed, names);
  const hint =
    meant === undefined ? `Commands: ${names.join(", ")}.` : `Did you mean ${group} ${meant}?`;
  return new Failure("usage", `Unknown command ${JSON.stringify(`${group} ${typed}`)}. ${hint}`);
}

/** Prints what ended the command; returns the exit code. */
function report(error: unknown, { terminal }: Context): Exit {
  const { style } = terminal;
  const say = (message: string): void => terminal.err(`${style.red("petstore:")} ${message}\n`);
  if (error instanceof Failure) {
    say(error.message);
    return error.exit;
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
