import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./child.ts";
import { ROOT } from "./program.ts";
import type { Bench } from "./row.ts";

/** A server that is built from its Go module. */
interface GoPeer {
  readonly name: string;
  /** With its version, so that another one is built again. */
  readonly file: string;
  build(go: string): Promise<unknown>;
}

/** Outside the project, which then need not be searched for Go code. */
const HOME = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "petstore-bench");

const CADDY_VERSION = "v2.11.9";

export const goCaddy: GoPeer = {
  name: "Caddy",
  file: join(HOME, `caddy-${CADDY_VERSION}`, "caddy"),
  build: (go) =>
    run([go, "install", `github.com/caddyserver/caddy/v2/cmd/caddy@${CADDY_VERSION}`], {
      env: { GOBIN: join(HOME, `caddy-${CADDY_VERSION}`), GOFLAGS: "-mod=mod" },
    }),
};

const POCKETBASE = join(ROOT, "bench/peers/pocketbase");

export const goPocketBase: GoPeer = {
  name: "PocketBase",
  file: join(HOME, "pocketbase"),
  // The version is in its go.mod. Recompiles only changes.
  build: (go) =>
    run([go, "build", "-o", goPocketBase.file, "."], {
      cwd: POCKETBASE,
      // The newest release may need a newer Go than is installed.
      env: { GOTOOLCHAIN: "auto" },
    }),
};

/** Builds a peer where that is allowed. Returns why it is missing; undefined if it can start. */
export async function goPeerMissing(
  { name, file, build }: GoPeer,
  { installs, say }: Pick<Bench, "installs" | "say">,
): Promise<string | undefined> {
  if (!installs) return existsSync(file) ? undefined : "not built; --peers builds it";
  const go = Bun.which("go");
  if (go === null) return "Go is not installed";
  say(`building ${name}`);
  return failureOf(build(go));
}

/** Returns the start of the error; undefined if the work succeeds. A peer that cannot run is noted in the table. */
export async function failureOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return String(error).split("\n").slice(0, 3).join(" ");
  }
}
