import { command } from "../command.ts";
import { dataDirectory } from "../data-directory.ts";
import { authority, reachable } from "../endpoint.ts";
import { writeJson } from "../output.ts";
import { serveFlags } from "../serve-flags.ts";
import { loadSettings } from "../settings.ts";
import { serverStatus } from "../socket-client.ts";
import type { Settings } from "../options.ts";

const DEADLINE_MS = 3_000;

export const healthcheck = command({
  path: "healthcheck",
  summary: "Ask the running server whether it is ready; exit 0 if it is, else 1",
  details: "For HEALTHCHECK in a container. Takes the options that the server was started with.",
  operands: {},
  flags: serveFlags,
  examples: ["healthcheck", "healthcheck --listen :8080"],
  run: async ({ flags, context }) => {
    const { terminal, environment } = context;
    const { json, ...typed } = flags;
    const { settings } = await loadSettings({ flags: typed, environment });
    const state = await stateOf(settings);
    if (json) await writeJson(terminal, { ready: state === "ready", state });
    else terminal.err(`${state}\n`);
    return state === "ready" ? "done" : "failed";
  },
});

async function stateOf(settings: Settings): Promise<string> {
  const origin = await originOf(settings);
  if (origin === undefined) return "no server runs";
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(DEADLINE_MS) });
    return response.ok ? "ready" : "not ready";
  } catch {
    // Whatever it was: nobody answered.
    return "no answer";
  }
}

/** Where the server listens; with port 0 only the server itself knows. */
async function originOf({ listen, dataDir }: Settings): Promise<string | undefined> {
  if (listen.port !== 0) return `http://${authority(reachable(listen))}`;
  return (await serverStatus(dataDirectory(dataDir).socket))?.addresses.production;
}
