import { readFile } from "node:fs/promises";

// The source does not know the project's addresses. The publisher adds them first.
const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
const missing = ["repository", "homepage", "bugs"].filter((field) => !manifest[field]);
if (missing.length > 0) {
  console.error(
    `package.json has no ${missing.join(", ")}, so users of the published package could not find the project. Add your repository's addresses, then publish again.`,
  );
  process.exit(1);
}
