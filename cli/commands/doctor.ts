import type { Finding } from "../../server/checks/check.ts";
import { command, type Context } from "../command.ts";
import { dataDirectory, type DataDirectory } from "../../server/data-directory.ts";
import { examine } from "../../server/checks/examine.ts";
import { configOption, options } from "../../settings/options.ts";
import { writeJson } from "../output.ts";
import { serveFlags } from "../serve-flags.ts";
import { loadSettings } from "../../settings/load.ts";
import { serverFindings, serverStatus } from "../../server/socket.ts";
import type { Style } from "../../server/log.ts";

export const doctor = command({
  path: "doctor",
  summary: "Look whether everything that the service needs is in order",
  details:
    "Changes nothing. Where a server runs on the data directory, it checks itself, with its own options; the database file is only read from end to end while no server runs. The exit code is 6 if anything fails.",
  operands: {},
  flags: serveFlags,
  examples: ["doctor", "doctor --data-dir /var/lib/petstore --json"],
  run: async ({ flags, context }) => {
    const { terminal, environment } = context;
    const { json, ...typed } = flags;
    const { settings } = await loadSettings({ flags: typed, environment });
    const directory = dataDirectory(settings.dataDir);
    const findings =
      (await serverFindingsOf(directory, typed, context)) ??
      (await examine({ settings, directory, runtime: context, serving: false }));
    const ok = findings.every(({ status }) => status !== "fail");
    if (json) await writeJson(terminal, { ok, findings });
    else for (const finding of findings) await terminal.out(lineOf(finding, terminal.style));
    return ok ? "done" : "notOk";
  },
});

/** Options that name the installation; for all others the running server's own values count. */
const PLACE: ReadonlySet<string> = new Set([options.dataDir.name, configOption.name]);

/** Returns what a server that runs on the directory finds; undefined where none of this version answers. */
async function serverFindingsOf(
  { path, socket }: DataDirectory,
  typed: Readonly<Record<string, string | undefined>>,
  { version, terminal }: Context,
): Promise<readonly Finding[] | undefined> {
  const status = await serverStatus(socket).catch(() => undefined);
  if (status?.version !== version) return undefined;
  const findings = await serverFindings(socket).catch(() => undefined);
  const ignored = Object.keys(typed).filter(
    (name) => typed[name] !== undefined && !PLACE.has(name),
  );
  if (findings !== undefined && ignored.length > 0) {
    const names = ignored.map((name) => `--${name}`).join(", ");
    terminal.err(`The server on ${path} checked its own options and ignored ${names}.\n`);
  }
  return findings;
}

function lineOf({ check, status, message, fix }: Finding, style: Style): string {
  const marks = {
    ok: style.green("ok  "),
    warn: style.yellow("warn"),
    fail: style.red("FAIL"),
    skip: "-   ",
  };
  const told = fix === undefined ? message : `${message}: ${fix}`;
  return `${marks[status]}  ${check.padEnd(17)}${told}\n`;
}
