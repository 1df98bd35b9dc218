import { expect, test } from "bun:test";

const ROOT = new URL("../..", import.meta.url).pathname;
const PAGES = "{README,CONTRIBUTING,CHANGELOG}.md docs/**/*.md examples/**/*.md test/**/README.md";

/** A line that only code has: a declaration, a call as a statement, or one that opens or closes a block. */
const CODE =
  /^\s*(?:(?:const|let) [\w{[].* ?=|import [\w{*"].* ?from ?"|export [\w{*].*[({=]|await \w[\w.]*\(|[\w.]+\(.*\);$|[\])}]+[,;)]*$)|[{(]$/;

/** Reports what a merge or a slip damages: a fence that does not end, code outside one, a heading glued to text. */
function damageIn(page: string): readonly string[] {
  const lines = page.split("\n");
  const found: string[] = [];
  /** The fence that is open, such as three backticks, and its line. */
  let fence: { readonly mark: string; readonly at: number } | undefined;
  let comment = false;
  for (const [index, line] of lines.entries()) {
    const at = `${index + 1}: ${line}`;
    const [before = "", after = ""] = [lines[index - 1], lines[index + 1]];
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark === undefined || !mark.startsWith(fence.mark) || line.trim() !== mark) continue;
      fence = undefined;
      if (/^\S/.test(after) && !after.startsWith("<"))
        found.push(`${at} is glued to the text below`);
      continue;
    }
    if (mark !== undefined) {
      fence = { mark, at: index + 1 };
      if (/^\S/.test(line) && /\S/.test(before) && !before.startsWith("<")) {
        found.push(`${at} is glued to the text above`);
      }
      continue;
    }
    if (line.startsWith("<!--")) comment = true;
    const inComment = comment;
    if (line.includes("-->")) comment = false;
    if (inComment) continue;
    if (/^#{1,6} /.test(line)) {
      if (/\S/.test(before) || /\S/.test(after)) found.push(`${at} is a heading glued to text`);
    } else if (/^#{1,6}\w/.test(line) || /[.:;!?)]#{2,6} \w/.test(line)) {
      found.push(`${at} is a heading glued to text`);
    } else if (!line.startsWith("|") && CODE.test(line)) {
      found.push(`${at} is code outside a fence`);
    }
  }
  if (fence !== undefined) found.push(`${fence.at}: this fence never ends`);
  return found;
}

test("no page has code outside a fence, an open fence, or a heading glued to text", async () => {
  const damage: string[] = [];
  for (const pattern of PAGES.split(" ")) {
    for await (const file of new Bun.Glob(pattern).scan({ cwd: ROOT })) {
      if (file.includes("node_modules/")) continue;
      const text = await Bun.file(ROOT + file).text();
      damage.push(...damageIn(text).map((one) => `${file}:${one}`));
    }
  }
  expect(damage).toEqual([]);
});

test.each([
  ["Adds hooks:\nconst hooks = createHooks({\n  store,\n});\n", 2],
  ["hooks.start();\n", 1],
  ["await hooks.close();\n", 1],
  ['import { a } from "b";\n', 1],
  ["Text.\n```js\na\n```\n", 1],
  ["```js\na\n```\nText.\n", 1],
  ["```js\na\n", 1],
  ["Text.\n## Heading\n\nText.\n", 1],
  ["## Heading\nText.\n", 1],
  ["Text.## Heading\n", 1],
  ["## Heading\n\nText:\n\n```js\nhooks.start();\n```\n\n- `a`\n\n  ```sh\n  b\n  ```\n", 0],
])("%j has %i damaged lines", (page, count) => {
  expect(damageIn(page)).toHaveLength(count);
});
