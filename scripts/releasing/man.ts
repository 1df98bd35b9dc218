import type { Command } from "../../cli/command.ts";
import { exitCodes } from "../../settings/failure.ts";

/** Escapes a text for roff: a backslash, a dash, and a dot or quote at the start of a line. */
function roff(text: string): string {
  return text
    .replaceAll("\\", String.raw`\e`)
    .replaceAll("-", String.raw`\-`)
    .replaceAll(/^(?=[.'])/gm, String.raw`\&`);
}

function section(title: string, ...lines: readonly string[]): readonly string[] {
  return [`.SH ${title}`, ...lines];
}

function commandLines({ path, summary, details, operands, flags }: Command): readonly string[] {
  const named = Object.values(operands).map(({ placeholder, optional, many }) => {
    const shown = `${placeholder}${many === true ? "…" : ""}`;
    return optional === true ? `[${shown}]` : shown;
  });
  const own = flags.filter(([, { unlisted }]) => unlisted !== true);
  return [
    `.SS "petstore ${roff([path, ...named].join(" "))}"`,
    roff(`${summary}.`),
    ...(details === undefined ? [] : [".PP", roff(details)]),
    ...own.flatMap(([, { name, placeholder, help }]) => [
      ".TP",
      `.B "${roff(`--${name}${placeholder === undefined ? "" : ` ${placeholder}`}`)}"`,
      roff(help),
    ]),
  ];
}

/** Writes the manual page of the program, petstore(1). `at` is an ISO 8601 time. */
export function manPage(commands: readonly Command[], version: string, at: string): string {
  const lines = [
    `.TH PETSTORE 1 "${at.slice(0, 10)}" "petstore ${version}" "User Commands"`,
    ...section(
      "NAME",
      String.raw`petstore \- manage the animals of shelters and serve them over HTTP`,
    ),
    ...section("SYNOPSIS", ".B petstore", "[COMMAND] [OPTIONS]"),
    ...section("DESCRIPTION", "Without a command, petstore runs", '.BR "petstore serve" .'),
    ...section("COMMANDS", ...commands.flatMap(commandLines)),
    ...section(
      "EXIT STATUS",
      ...Object.entries(exitCodes).flatMap(([name, code]) => [
        ".TP",
        `.B ${code}`,
        name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
      ]),
    ),
  ];
  return `${lines.join("\n")}\n`;
}
