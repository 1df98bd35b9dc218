import { writeSync } from "node:fs";

import { configureSync, getLogger, type LogRecord } from "@logtape/logtape";

import { isoTime } from "../../lib/base/clock.ts";
import type { Log, LogFields } from "../../lib/index.ts";
import type { Settings } from "../../settings/options.ts";

/** Emphasis on a terminal; plain if there is none or `NO_COLOR` is set (no-color.org). */
export interface Style {
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

export interface LogOptions {
  readonly format: Exclude<Settings["logFormat"], "auto">;
  readonly level: Settings["logLevel"];
  readonly style: Style;
  /** Receives one line, with its newline. Default: stderr, synchronously, so that no line is lost at exit. */
  readonly write?: (line: string) => void;
}

/** Formats an error for a log with these options, with its newline. */
export function errorLineAt(
  timestamp: number,
  message: string,
  { format, style }: Pick<LogOptions, "format" | "style">,
): string {
  const line = format === "json" ? jsonLine : textLine(style);
  return line({ timestamp, level: "error", message: [message], properties: {} });
}

/** Creates the log of this process, and replaces an earlier one. */
export function createLog({ format, level, style, write = toStderr }: LogOptions): Log {
  const line = format === "json" ? jsonLine : textLine(style);
  configureSync({
    reset: true,
    sinks: { lines: (record) => write(line(record)) },
    loggers: [
      { category: ["petstore"], sinks: ["lines"], lowestLevel: levelNames[level] },
      // Messages of the library itself.
      { category: ["logtape", "meta"], sinks: ["lines"], lowestLevel: "warning" },
    ],
  });
  const logger = getLogger(["petstore"]);
  return {
    debug: (message, fields) => logger.debug(escaped(message), { ...fields }),
    info: (message, fields) => logger.info(escaped(message), { ...fields }),
    warn: (message, fields) => logger.warn(escaped(message), { ...fields }),
    error: (message, error, fields) => logger.error(escaped(message), { ...fields, error }),
  };
}

type Line = Pick<LogRecord, "timestamp" | "level" | "message" | "properties">;

const levelNames = { debug: "debug", info: "info", warn: "warning", error: "error" } as const;
const STDERR = 2;

/** Escapes braces, which LogTape would replace by fields. */
function escaped(message: string): string {
  return message.replaceAll("{", "{{").replaceAll("}", "}}");
}

function toStderr(line: string): void {
  try {
    writeSync(STDERR, line);
  } catch {
    // A full or closed pipe must not stop the server.
  }
}

/** Members of every line; a field of the same name goes under `fields`. */
const reserved: ReadonlySet<string> = new Set(["time", "level", "message"]);

function jsonLine({ timestamp, level, message, properties }: Line): string {
  const { error, ...fields } = properties;
  const all = Object.entries(fields);
  const hidden = all.filter(([name]) => reserved.has(name));
  const facts = {
    time: isoTime(timestamp),
    level: level === "warning" ? "warn" : level,
    message: message.join(""),
    ...Object.fromEntries(all.filter(([name]) => !reserved.has(name))),
    ...(hidden.length === 0 ? {} : { fields: Object.fromEntries(hidden) }),
    ...(error === undefined ? {} : { error: errorFacts(error) }),
  };
  return `${JSON.stringify(facts)}\n`;
}

function errorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: errorFacts(cause) }) };
}

function textLine(style: Style): (record: Line) => string {
  return ({ timestamp, level, message, properties }) => {
    const { error, ...fields } = properties;
    const facts = Object.entries(fields satisfies LogFields | object)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => style.dim(`${name}=${plain(value)}`));
    const mark: Partial<Record<LogRecord["level"], string>> = {
      warning: style.yellow("warn "),
      error: style.red("error"),
      fatal: style.red("fatal"),
    };
    const shownLevel = mark[level] ?? level.padEnd(5);
    const head = [style.dim(isoTime(timestamp)), shownLevel, message.join(""), ...facts].join(" ");
    return `${head}${error === undefined ? "" : `\n${indented(error)}`}\n`;
  };
}

function plain(value: unknown): string {
  const text = String(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

function indented(error: unknown): string {
  const text = error instanceof Error ? Bun.inspect(error, { colors: false }) : String(error);
  return text.trimEnd().replaceAll(/^/gm, "    ");
}
