import { command } from "../command.ts";
import { dataDirectory } from "../../server/data-directory.ts";
import { writeJson } from "../output.ts";
import { serveFlags } from "../serve-flags.ts";
import { loadSettings } from "../../settings/load.ts";
import { serverStatus } from "../../server/socket.ts";

const DEADLINE_MS = 3_000;

export const healthcheck = command({
  path: "healthcheck",
  summary: "Ask the running server whether it is ready; exit 0 if it is, else 1",
  details:
    "For HEALTHCHECK in a container. Asks the server of the data directory, on whatever port it listens.",
  operands: {},
  flags: serveFlags,
  examples: ["healthcheck", "healthcheck --data-dir /var/lib/petstore"],
  run: async ({ flags, context }) => {
    const { terminal, environment } = context;
    const { json, ...typed } = flags;
    const { settings } = await loadSettings({ flags: typed, environment });
    const state = await stateOf(dataDirectory(settings.dataDir).socket);
    if (json) await writeJson(terminal, { ready: state === "ready", state });
    else terminal.err(`${state}\n`);
    return state === "ready" ? "done" : "failed";
  },
});

async function stateOf(socket: string): Promise<string> {
  try {
    // The server alone knows where it listens: another program may have the port of our options.
    const status = await serverStatus(socket);
    if (status === undefined) return "no server runs";
    const { production } = status.addresses;
    const signal = AbortSignal.timeout(DEADLINE_MS);
    return (await fetch(`${production}/readyz`, { signal })).ok ? "ready" : "not ready";
  } catch {
    // Refused, reset or silent: all the same to a container engine.
    return "no answer";
  }
}
