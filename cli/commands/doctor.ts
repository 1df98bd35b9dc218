import type { Finding } from "../check.ts";
import { command } from "../command.ts";
import { dataDirectory } from "../data-directory.ts";
import { examine } from "../examine.ts";
import { writeJson } from "../output.ts";
import { serveFlags } from "../serve-flags.ts";
import { loadSettings } from "../settings.ts";
import type { Style } from "../terminal.ts";

export const doctor = command({
  path: "doctor",
  summary: "Look whether everything that the service needs is in order",
  details:
    "Changes nothing. Takes the options of `serve`; give it those of the server. The exit code is 6 if anything fails.",
  operands: {},
  flags: serveFlags,
  examples: ["doctor", "doctor --data-dir /var/lib/petstore --json"],
  run: async ({ flags, context }) => {
    const { terminal, environment } = context;
    const { json, ...typed } = flags;
    const { settings } = await loadSettings({ flags: typed, environment });
    const directory = dataDirectory(settings.dataDir);
    const findings = await examine({ settings, directory, context, serving: false });
    const ok = findings.every(({ status }) => status !== "fail");
    if (json) await writeJson(terminal, { ok, findings });
    else for (const finding of findings) await terminal.out(lineOf(finding, terminal.style));
    return ok ? "done" : "notOk";
  },
});

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
