// Runs under plain Node before anything that needs Bun. The package `bun` installs its executable in a
// postinstall script, which npm 12 and `--ignore-scripts` skip.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const installed = fileURLToPath(new URL("../node_modules/bun/", import.meta.url));

const works = () => spawnSync(`${installed}bin/bun.exe`, ["--version"]).status === 0;

if (!works()) {
  spawnSync(process.execPath, ["install.js"], { cwd: installed, stdio: "inherit" });
  if (!works()) {
    console.error("Bun is not installed. Run `npm ci` first.");
    process.exit(1);
  }
}
