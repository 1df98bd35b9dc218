import { createLog } from "../server/process/log.ts";
import { limitEnding } from "../server/process/limited-ending.ts";
import { integer } from "../settings/values.ts";
import type { Demo } from "../server/demo/start.ts";
import { shellWord } from "../lib/base/readable.ts";
import { command, optional, type Command, type Context } from "./command.ts";
import { writeJson } from "./output.ts";
import { stopSignals } from "./stop-signals.ts";

/** Runs the service with a made-up shelter, a registrar and a CA, to try it. */
export const demo: Command = command({
  path: "demo",
  summary: "Try Petstore on this machine with a made-up shelter, registrar and CA",
  details:
    "It needs no network and no configuration, and listens on the loopback interface only. Everything is in a temporary directory, which is deleted when the demo ends. If the demo is killed, the next one deletes the directory.",
  flags: {
    port: optional({
      name: "port",
      placeholder: "PORT",
      help: "Port of the dashboard; 0 uses any free port. Default: 8080, or any free port if that is in use.",
      parse: integer({ min: 0, max: 65_535 }),
    }),
  },
  examples: ["demo", "demo --port 9000"],
  run: async ({ flags, context }) => {
    const { terminal, program, programShown, clock } = context;
    const { out, err, style } = terminal;
    // Closing the terminal ends the demo, too.
    using signals = stopSignals(clock, ["SIGHUP"]);
    const log = createLog({ format: "text", level: "error", style });
    using ending = limitEnding({ log });
    void signals.first.then(() => ending.begin());
    // Imported on demand: other commands and `serve` load nothing of it.
    const { startDemo } = await import("../server/demo/start.ts");
    const { stop, ...shown } = await startDemo({
      runtime: context,
      port: flags.port,
      log,
      typed: (what) => `${program} ${what}`,
      programShown,
      onLink: (link) => err(`\n  Another link that signs you in: ${link}\n`),
    });
    try {
      if (flags.json) await writeJson(terminal, { pid: process.pid, ...shown });
      else await out(welcome(shown, context));
      await signals.first;
    } finally {
      await stop();
    }
    if (!flags.json) await out("\n  The demo has ended, and its data is deleted.\n");
    return "done";
  },
});

function welcome(
  { link, registrar, domainsPage, domain, site, dataDir }: Omit<Demo, "stop">,
  { program, version }: Context,
): string {
  return `
  Petstore ${version}, the demo: made-up data, and no network. Press Ctrl-C to end it.

  1. Sign in, once:  ${link}
  2. Add the domain ${domain}:  ${domainsPage}
  3. Enter the record that Petstore asks for:  ${registrar}

  Seconds later the shelter is at ${site}
  Your browser warns about its certificate, because it does not know the demo's CA. Continue.
  Commands work, too:  ${program} domains list --data-dir ${shellWord(dataDir)}

`;
}
