import { loadSettings } from "../settings/load.ts";
import { Failure } from "../settings/failure.ts";
import { options } from "../settings/options.ts";
import { build } from "./build.ts";
import { command, optionalText, toggle, type Command, type Context } from "./command.ts";
import { clientFlags } from "./operation.ts";
import { writeJson } from "./output.ts";
import { isNewer, newestRelease, type Release } from "./releases.ts";

export const version: Command = command({
  path: "version",
  summary: "Show the version of this program, or whether a newer one exists",
  details:
    "--check asks the address in the option releases-url for the newest version, and nothing else does. Exit code 0: this version is the newest; 6: a newer one exists; 75: the address does not answer.",
  flags: {
    check: toggle("check", "Ask releases-url whether a newer version exists."),
    releasesUrl: optionalText("releases-url", "URL", options.releasesUrl.help),
    config: clientFlags.config,
  },
  examples: [
    "version",
    "version --json",
    "version --check --releases-url https://downloads.example.org/petstore/releases.json",
  ],
  run: async ({ flags: { json, check, config, releasesUrl }, context }) => {
    const { terminal } = context;
    const own = ownVersion(context);
    if (!check) {
      await (json ? writeJson(terminal, own) : terminal.out(`${shown(own)}\n`));
      return "done";
    }
    const typed = { config, "releases-url": releasesUrl };
    const { settings } = await loadSettings({ flags: typed, environment: context.environment });
    if (settings.releasesUrl === undefined) {
      throw new Failure(
        "configuration",
        "Set releases-url to the address of the releases: nothing is asked without it.",
      );
    }
    const newest = await newestRelease(settings.releasesUrl);
    const newer = isNewer(newest.version, context.version);
    if (json) await writeJson(terminal, { ...own, newest, newer });
    else
      await terminal.out(
        `${shown(own)}\n${newer ? offered(newest) : "It is the newest version."}\n`,
      );
    return newer ? "notOk" : "done";
  },
});

function ownVersion({ version: number }: Context) {
  return {
    version: number,
    commit: build?.commit ?? null,
    builtFrom: build?.at ?? null,
    target: build?.target ?? null,
    bun: Bun.version,
  };
}

function shown({
  version: number,
  commit,
  builtFrom,
  target,
}: ReturnType<typeof ownVersion>): string {
  if (commit === null) return `petstore ${number} (from source)`;
  const short = commit.replace(/^(\w{12})\w*/, "$1");
  return `petstore ${number} (${target}, commit ${short}, ${builtFrom?.slice(0, 10)})`;
}

function offered({ version: number, date, url }: Release): string {
  return `Version ${number} of ${date} is newer.${url === undefined ? "" : ` ${url}`}`;
}
