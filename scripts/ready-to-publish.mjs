import { readFile } from "node:fs/promises";

// The addresses of the project are not known to the source: whoever publishes the package writes them down first.
const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
const missing = ["repository", "homepage", "bugs"].filter((field) => !manifest[field]);
if (missing.length > 0) {
  console.error(
    `package.json has no ${missing.join(", ")}, so readers of the published package could not find the project. Add the addresses of the repository that you publish from, then publish again.`,
  );
  process.exit(1);
}
