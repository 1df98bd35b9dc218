import { parseArgs } from "node:util";

import { nearest } from "../lib/base/nearest.ts";
import { done, refused, type Result } from "../lib/base/result.ts";
import type { Command } from "./command.ts";
import { plannedOptions } from "../settings/options.ts";

export interface Arguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly operands: Readonly<Record<string, string | readonly string[]>>;
}

/** Parses the arguments of a command; refuses with all of their errors. */
export function parseArguments(
  command: Command,
  args: readonly string[],
): Result<Arguments, readonly string[]> {
  const byName = new Map(command.flags.map(([, flag]) => [flag.name, flag]));
  const { tokens } = parseArgs({
    args: completed(args, command),
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      [...byName.values()].map(({ name, placeholder }) => [
        name,
        { type: placeholder === undefined ? "boolean" : "string" } as const,
      ]),
    ),
  });
  const faults: string[] = [];
  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  let unknown = false;
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const flag = rawName.startsWith("--") ? byName.get(name) : undefined;
    if (flag === undefined) {
      unknown = true;
      faults.push(unknownOption(rawName, command));
    } else if (flag.placeholder === undefined && value !== undefined) {
      faults.push(`--${name} takes no value`);
    } else if (
      flag.placeholder !== undefined &&
      (value === undefined || (!inlineValue && value.startsWith("--")))
    ) {
      faults.push(`--${name} needs a value: --${name} ${flag.placeholder}`);
      given.set(name, []);
    } else {
      given.set(name, [...(given.get(name) ?? []), value ?? ""]);
    }
  }

  const values: Record<string, unknown> = {};
  for (const [key, flag] of command.flags) {
    const texts = given.get(flag.name) ?? [];
    // Reported above.
    if (given.has(flag.name) && texts.length === 0) continue;
    if (texts.length > 1 && !flag.many) faults.push(`--${flag.name} is given twice`);
    const value = flag.read(texts);
    if (value.ok) values[key] = value.value;
    else faults.push(`--${flag.name} ${value.failure}`);
  }

  const operands: Record<string, string | readonly string[]> = {};
  let taken = 0;
  for (const [key, operand] of Object.entries(command.operands)) {
    const texts = positionals.slice(taken, operand.many === true ? undefined : taken + 1);
    const [positional = ""] = texts;
    taken += Math.max(1, texts.length);
    if (positional !== "") operands[key] = operand.many === true ? texts : positional;
    else if (operand.optional !== true) faults.push(`${operand.placeholder} is required`);
  }
  const extra = positionals.slice(taken);
  // The value of an unknown option looks like an operand.
  if (extra.length > 0 && !unknown) faults.push(unexpected(extra, command));
  return faults.length > 0 ? refused(faults) : done({ values, operands });
}

/** Inserts the value that a flag has if none follows it. */
function completed(args: readonly string[], { flags }: Command): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  return args.map((arg, index) => {
    const flag = flags.find(([, { name }]) => arg === `--${name}`)?.[1];
    if (flag?.bare === undefined || index >= end) return arg;
    const next = args[index + 1];
    const typed = next !== undefined && index + 1 < end && flag.read([next]).ok;
    return typed ? arg : `${arg}=${flag.bare}`;
  });
}

function unknownOption(written: string, { flags, path }: Command): string {
  const name = written.replace(/^-+/, "");
  const later = plannedOptions.get(name);
  if (later !== undefined) return `${written}: ${later}`;
  const meant = nearest(name, [...flags.map(([, flag]) => flag.name), "help"]);
  const hint = meant === undefined ? "" : `; did you mean --${meant}?`;
  return `petstore ${path} has no option ${written}${hint}`;
}

function unexpected(extra: readonly string[], { path }: Command): string {
  const words = `unexpected ${extra.map((word) => JSON.stringify(word)).join(", ")}`;
  return path === "serve" ? `${words}; a command comes before its options` : words;
}
