import { readFile } from "node:fs/promises";

import { nearest } from "../lib/base/nearest.ts";
import { done, refused, type Result } from "../lib/base/result.ts";
import { conflictsIn } from "./conflicts.ts";
import { Failure, codeOf, reasonOf } from "./failure.ts";
import {
  clientVariables,
  configOption,
  plannedOptions,
  optionEntries,
  type Settings,
} from "./options.ts";
import { environmentName, type Option } from "./option.ts";

/** Sources of a setting, in the order of precedence. */
export type Source = "flag" | "environment" | "file" | "default";

export interface LoadedSettings {
  readonly settings: Settings;
  readonly sources: Readonly<Record<keyof Settings, Source>>;
}

interface Given {
  readonly source: Source;
  /** Where it was written, for messages. */
  readonly place: string;
  readonly text: string;
}

interface Fault {
  readonly source: Source;
  readonly message: string;
}

interface Sources {
  /** The flags by the name of the option. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Rejects if the file does not exist. */
  readonly readText?: (path: string) => Promise<string>;
}

/** Combines the settings of all sources; fails with all of their errors at once. */
export async function loadSettings(sources: Sources): Promise<LoadedSettings> {
  const { flags, environment, readText = (path) => readFile(path, "utf8") } = sources;
  const faults: Fault[] = [];
  const fromEnvironment = await readEnvironment(environment, readText, faults);
  const configPath =
    flags[configOption.name] ?? nonEmpty(environment[environmentName(configOption.name)]);
  const fromFile =
    configPath === undefined
      ? new Map<string, Given>()
      : await readConfig(configPath, readText, faults);

  const fromElsewhere = readElsewhere(environment, [flags, fromEnvironment, fromFile]);

  const settings: Record<string, unknown> = {};
  const origins: Record<string, Source> = {};
  for (const [key, option] of optionEntries) {
    const { name, fallback, parse, secret, fileOnly = false } = option;
    const flag = secret === true || fileOnly ? undefined : flags[name];
    const given: Given | undefined =
      (flag === undefined ? undefined : { source: "flag", place: `--${name}`, text: flag }) ??
      fromEnvironment.get(name) ??
      fromFile.get(name) ??
      fromElsewhere.get(name);
    const value = given === undefined ? done(fallback) : parse(given.text);
    if (!value.ok && given !== undefined) {
      faults.push({ source: given.source, message: `${given.place} ${value.failure}` });
    }
    if (value.ok) settings[key] = value.value;
    origins[key] = given?.source ?? "default";
  }
  if (faults.length > 0) throw failureOf(faults);
  // Without an error, every key was parsed by the option of its name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const read = settings as unknown as Settings;
  const given = optionEntries.flatMap(([key]) => (origins[key] === "default" ? [] : [key]));
  const conflicts = conflictsIn(read, given);
  if (conflicts.length > 0) {
    throw failureOf(conflicts.map((message) => ({ source: "default", message })));
  }
  return {
    settings: read,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    sources: origins as Record<keyof Settings, Source>,
  };
}

/** Wrong flags are `usage`; anything else is `configuration`. */
function failureOf(faults: readonly Fault[]): Failure {
  const typed = faults.every(({ source }) => source === "flag");
  const lines = faults.map(({ message }) => message);
  return new Failure(
    typed ? "usage" : "configuration",
    lines.length === 1
      ? `${lines[0]}.`
      : `The options have ${lines.length} errors:\n${lines.map((line) => `  ${line}`).join("\n")}`,
  );
}

const nonEmpty = (written: string | undefined): string | undefined =>
  written === "" ? undefined : written;

/** Variables that Kubernetes sets in the containers of a namespace with a service named petstore. */
const SERVICE_LINK =
  /^PETSTORE_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT(?:_\d+_(?:TCP|UDP)(?:_\w+)?)?)$/;

async function readEnvironment(
  environment: Sources["environment"],
  readText: (path: string) => Promise<string>,
  faults: Fault[],
): Promise<ReadonlyMap<string, Given>> {
  const found = new Map<string, Given>();
  const known = new Set([environmentName(configOption.name), ...clientVariables]);
  for (const [, { name, secret, fileOnly = false }] of optionEntries) {
    const variable = environmentName(name);
    const fileVariable = `${variable}_FILE`;
    known.add(variable);
    const text = nonEmpty(environment[variable]);
    if (fileOnly) {
      if (text !== undefined) {
        faults.push(environmentFault(`${variable}: only the configuration file can set ${name}`));
      }
      continue;
    }
    if (text !== undefined) found.set(name, { source: "environment", place: variable, text });
    if (secret === undefined) continue;
    known.add(fileVariable);
    const path = nonEmpty(environment[fileVariable]);
    if (path === undefined) continue;
    if (text !== undefined) {
      faults.push(environmentFault(`${variable} and ${fileVariable} cannot be combined`));
      continue;
    }
    const content = await readOrReason(path, readText);
    if (content.ok) {
      const place = `${fileVariable}: ${path}`;
      found.set(name, { source: "environment", place, text: content.value.trim() });
    } else faults.push(environmentFault(`${fileVariable}: ${path}: ${content.failure}`));
  }
  for (const variable of Object.keys(environment)) {
    if (!variable.startsWith("PETSTORE_") || known.has(variable)) continue;
    if (SERVICE_LINK.test(variable)) continue;
    faults.push(environmentFault(unknownVariable(variable, [...known])));
  }
  return found;
}

/** Reads the variables of other programs, unless an option of the same group is set otherwise. */
function readElsewhere(
  environment: Sources["environment"],
  [flags, ...others]: readonly [Sources["flags"], ...ReadonlyMap<string, Given>[]],
): ReadonlyMap<string, Given> {
  const found = new Map<string, Given>();
  const isGiven = (name: string): boolean =>
    flags[name] !== undefined || others.some((given) => given.has(name));
  const groups = new Set(
    optionEntries.map(([, { name, elsewhere }]) => (isGiven(name) ? elsewhere?.group : undefined)),
  );
  for (const [, { name, elsewhere }] of optionEntries) {
    if (elsewhere === undefined || (elsewhere.group !== undefined && groups.has(elsewhere.group))) {
      continue;
    }
    for (const variable of elsewhere.variables.toReversed()) {
      const text = nonEmpty(environment[variable]);
      if (text !== undefined) found.set(name, { source: "environment", place: variable, text });
    }
  }
  return found;
}

function environmentFault(message: string): Fault {
  return { source: "environment", message };
}

function unknownVariable(variable: string, known: readonly string[]): string {
  const name = variable.slice("PETSTORE_".length).toLowerCase().replaceAll("_", "-");
  const later = plannedOptions.get(name);
  if (later !== undefined) return `${variable}: ${later}`;
  const names = known.map((one) => one.slice("PETSTORE_".length));
  const meant = nearest(variable.slice("PETSTORE_".length), names);
  return `${variable} is not an option${meant === undefined ? "" : `; did you mean PETSTORE_${meant}?`}`;
}

async function readConfig(
  path: string,
  readText: (path: string) => Promise<string>,
  faults: Fault[],
): Promise<ReadonlyMap<string, Given>> {
  const found = new Map<string, Given>();
  const fault = (message: string): void => {
    faults.push({ source: "file", message: `${path}: ${message}` });
  };
  const content = await readOrReason(path, readText);
  if (!content.ok) {
    fault(content.failure);
    return found;
  }
  let config: unknown;
  try {
    config = JSON.parse(content.value);
  } catch {
    fault("is not valid JSON");
    return found;
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    fault("must contain one JSON object");
    return found;
  }
  const known = new Map(optionEntries.map(([, { name, json }]) => [name, json]));
  for (const [name, value] of Object.entries(config)) {
    if (name === "$schema") continue;
    const json = known.get(name);
    if (json === undefined) {
      fault(unknownKey(name, [...known.keys()]));
      continue;
    }
    const text = textOf(value, json);
    const kinds =
      json === "boolean"
        ? "true or false"
        : isList(json)
          ? "a list of objects"
          : "a string, a number or a list of strings";
    if (text === undefined) fault(`"${name}" must be ${kinds}`);
    else found.set(name, { source: "file", place: `${path}: "${name}"`, text });
  }
  return found;
}

function unknownKey(name: string, known: readonly string[]): string {
  const later = plannedOptions.get(name);
  if (later !== undefined) return `"${name}": ${later}`;
  const meant = nearest(name, known);
  const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
  return `${JSON.stringify(name)} is not an option${hint}`;
}

type Json = Option<unknown>["json"];

function isList(json: Json): boolean {
  return typeof json === "object" && "items" in json;
}

function textOf(value: unknown, json: Json): string | undefined {
  if (isList(json)) return Array.isArray(value) ? JSON.stringify(value) : undefined;
  if (typeof value === "string") return value;
  if (typeof value === "number" || (json === "boolean" && typeof value === "boolean")) {
    return String(value);
  }
  const strings = Array.isArray(value) && value.every((item) => typeof item === "string");
  return strings ? value.join(",") : undefined;
}

async function readOrReason(
  path: string,
  readText: (path: string) => Promise<string>,
): Promise<Result<string, string>> {
  try {
    return done(await readText(path));
  } catch (error) {
    return refused(codeOf(error) === "ENOENT" ? "the file does not exist" : reasonOf(error));
  }
}
