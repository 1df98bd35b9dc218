import type { Finding } from "../server/checks/check.ts";
import { shellWord } from "../lib/base/readable.ts";
import { examine } from "../server/checks/examine.ts";
import { dataDirectory, type DataDirectory } from "../server/data/data-directory.ts";
import type { Style } from "../server/process/log.ts";
import { serverFindings, serverStatus } from "../server/listeners/socket.ts";
import { loadSettings } from "../settings/load.ts";
import { configOption, options } from "../settings/options.ts";
import { command, type Command, type Context } from "./command.ts";
import { toWire } from "../lib/management/index.ts";
import { serveFlags } from "./operation.ts";
import { writeJson } from "./output.ts";
import { asTyped } from "../lib/base/commands.ts";

export const doctor: Command = command({
  path: "doctor",
  summary: "Check everything that the service needs",
  details:
    "Changes nothing. If a server runs on the data directory, it checks itself, with its own options; the database file is read from end to end only while no server runs. Exit code 6: a check failed.",
  flags: serveFlags,
  examples: ["doctor", "doctor --data-dir /var/lib/petstore --json"],
  run: async ({ flags, context }) => {
    const { terminal, environment } = context;
    const { json, ...typed } = flags;
    const { settings } = await loadSettings({ flags: typed, environment });
    const directory = dataDirectory(settings.dataDir);
    const findings =
      (await findingsOfServer(directory, typed, context)) ??
      (await examine({ settings, directory, runtime: context, serving: false }));
    const ok = findings.every(({ status }) => status !== "fail");
    if (json) await writeJson(terminal, toWire({ ok, findings: findings.map(shownInJson) }));
    else
      for (const finding of findings)
        await terminal.out(asTyped(lineOf(finding, terminal.style), context.program));
    return ok ? "done" : "notOk";
  },
});

/** Options that locate the installation; for all others a running server uses its own values. */
const LOCATING: ReadonlySet<string> = new Set([options.dataDir.name, configOption.name]);

/** Returns the findings of a server on the directory; undefined if no server of this version answers. */
async function findingsOfServer(
  { path, socket }: DataDirectory,
  typed: Readonly<Record<string, string | undefined>>,
  { version, terminal }: Context,
): Promise<readonly Finding[] | undefined> {
  const status = await serverStatus(socket).catch(() => undefined);
  if (status?.version !== version) return undefined;
  const findings = await serverFindings(socket).catch(() => undefined);
  const ignored = Object.keys(typed).filter(
    (name) => typed[name] !== undefined && !LOCATING.has(name),
  );
  if (findings !== undefined && ignored.length > 0) {
    const names = ignored.map((name) => `--${name}`).join(", ");
    terminal.err(`The server on ${path} checked its own options and ignored ${names}.\n`);
  }
  return findings;
}

/** Names the facts as the management API does. */
function shownInJson({ check, status, code, facts, message, fix }: Finding): object {
  return { check, status, code, data: facts, message, ...(fix === undefined ? {} : { fix }) };
}

function lineOf({ check, status, message, fix }: Finding, style: Style): string {
  const marks = {
    ok: style.green("ok  "),
    warn: style.yellow("warn"),
    fail: style.red("FAIL"),
    skip: "-   ",
  };
  const text = fix === undefined ? message : `${message}. ${fix}`;
  const below = `\n${" ".repeat(23)}`;
  return `${marks[status]}  ${check.padEnd(17)}${text.replaceAll("\n", below)}\n`;
}

const DEADLINE_MS = 3_000;

export const healthcheck: Command = command({
  path: "healthcheck",
  summary: "Check whether the running server is ready; exit 0 if it is, else 1",
  details:
    "For HEALTHCHECK in a container. Queries the server of the data directory, on whatever port it listens. The other options of `serve` are accepted and have no effect.",
  flags: Object.fromEntries(
    Object.entries(serveFlags).map(([name, flag]) => [
      name,
      LOCATING.has(name) ? flag : { ...flag, unlisted: true },
    ]),
  ),
  examples: ["healthcheck", "healthcheck --data-dir /var/lib/petstore"],
  run: async ({ flags, context: { terminal, environment, program } }) => {
    const { json, ...typed } = flags;
    const { settings } = await loadSettings({ flags: typed, environment });
    const state = await stateOf(dataDirectory(settings.dataDir).socket);
    if (json) await writeJson(terminal, { ready: state === "ready", state });
    else {
      const { path } = dataDirectory(settings.dataDir);
      terminal.fault(
        state === NONE
          ? `No server is running on ${path}. Start it with: ${program} serve --data-dir ${shellWord(path)}\n`
          : `${state}\n`,
      );
    }
    return state === "ready" ? "done" : "failed";
  },
});

/** As `--json` reports it. */
const NONE = "no server runs";

async function stateOf(socket: string): Promise<string> {
  try {
    // Only the server knows where it listens: another program may have the port of our options.
    const status = await serverStatus(socket);
    if (status === undefined) return NONE;
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await fetch(`${status.direct}/readyz`, { signal });
    return response.ok ? "ready" : "not ready";
  } catch {
    // Refused, reset or timed out: the same to a container engine.
    return "no answer";
  }
}
