import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

// Bun imports a file as a text, Node does not: in the built modules, a constant replaces each such import.
const root = fileURLToPath(new URL("..", import.meta.url));
const built = join(root, "dist/npm");
const imported = /^import (\w+) from "(\.[^"]+)" with \{ type: "text" \};$/gm;

for (const name of await readdir(built, { recursive: true })) {
  if (!name.endsWith(".js")) continue;
  const module = join(built, name);
  const code = await readFile(module, "utf8");
  const texts = new Map();
  for (const [statement, constant, path] of code.matchAll(imported)) {
    const source = join(root, relative(built, dirname(module)), path);
    texts.set(statement, `const ${constant} = ${JSON.stringify(await readFile(source, "utf8"))};`);
  }
  if (texts.size > 0)
    await writeFile(
      module,
      code.replace(imported, (one) => texts.get(one)),
    );
}
