import { homedir } from "node:os";
import { join } from "node:path";

/**
 * CAs that the long tests run against, as Go modules: the newest Pebble, which has profiles and renewal information
 * where Debian's has none, and step-ca.
 */
const MODULES = {
  pebble: "github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.1",
  "step-ca": "github.com/smallstep/certificates/cmd/step-ca@v0.30.2",
} as const;

/** A CA that `bun scripts/install-cas.ts` builds. */
export type BuiltCa = keyof typeof MODULES;

/** Where they are built; `PETSTORE_CAS` names another folder. */
const FOLDER: string = process.env["PETSTORE_CAS"] ?? join(homedir(), ".cache", "petstore-cas");

/** Returns the path of a CA that has been built; undefined if it has not. */
export function builtCa(name: BuiltCa): string | undefined {
  return Bun.which(join(FOLDER, "bin", name)) ?? undefined;
}

/** Builds the CAs that are missing, which takes minutes. Throws if Go is missing or cannot build one. */
export async function buildCas(): Promise<void> {
  for (const [name, module] of Object.entries(MODULES)) {
    if (Bun.which(join(FOLDER, "bin", name)) !== null) continue;
    console.log(`building ${module}`);
    const build = Bun.spawn(["go", "install", module], {
      // Without cgo, step-ca needs no libraries for smart cards.
      env: {
        ...process.env,
        CGO_ENABLED: "0",
        GOBIN: join(FOLDER, "bin"),
        GOFLAGS: "-modcacherw",
      },
      stdio: ["ignore", "inherit", "inherit"],
    });
    if ((await build.exited) !== 0) throw new Error(`${module} could not be built`);
  }
}

if (import.meta.main) await buildCas();
