import type { Build } from "../../cli/build.ts";
import { output } from "./targets.ts";

const builders = ["docker", "podman", "buildah"] as const;

/** Builds the image of the Dockerfile with the first builder that works here. Its base images come from a registry. */
export async function buildImage(
  version: string,
  { commit, at }: Pick<Build, "commit" | "at">,
): Promise<void> {
  for (const builder of builders) {
    if (Bun.which(builder) === null) continue;
    // `docker` without its daemon cannot build.
    if (Bun.spawnSync([builder, "info"], { stdout: "ignore", stderr: "ignore" }).exitCode !== 0) {
      continue;
    }
    const seconds = String(Date.parse(at) / 1_000);
    await output([
      builder,
      "build",
      ...["--build-arg", `PETSTORE_COMMIT=${commit}`],
      ...["--build-arg", `PETSTORE_COMMIT_TIME=${at}`],
      ...(builder === "docker"
        ? ["--build-arg", `SOURCE_DATE_EPOCH=${seconds}`]
        : ["--timestamp", seconds]),
      ...["--tag", `petstore:${version}`, "."],
    ]);
    return;
  }
  throw new Error(
    `The image needs one of ${builders.join(", ")}, and a running docker needs its daemon.`,
  );
}
