/**
 * Reports words that make English read like a translation, in what people read: docs/, README.md, CONTRIBUTING.md, the
 * dashboard's English catalogue and the texts of the commands. A smoke alarm for `npm run check`; it never fails.
 */
const root = new URL("../../", import.meta.url).pathname;
const places = "{README,CONTRIBUTING}.md docs/*.md dashboard/app/words/en/**/*.ts cli/**/*.ts";
const tics =
  /\b(?:somebody|whoever|nobody|by itself|besides|anew|now and then|goes on|holds it up|told by|be it|for it is|is there\b(?! (?:a|an|any)\b)|mended?|whose a)\b|, though\b/giu;

const hits: string[] = [];
for (const place of places.split(" ")) {
  for await (const file of new Bun.Glob(place).scan({ cwd: root })) {
    const lines = (await Bun.file(root + file).text()).split("\n");
    for (const [index, line] of lines.entries()) {
      for (const [word] of line.matchAll(tics)) hits.push(`${file}:${index + 1}: ${word}`);
    }
  }
}
if (hits.length > 0) console.log(`words to reconsider (docs, not an error):\n${hits.join("\n")}`);
