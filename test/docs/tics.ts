/**
 * Reports words that make English read like a translation, in what people read: docs/, README.md, CONTRIBUTING.md, the
 * dashboard's English catalogue and the texts of the commands; and doc comments that are fragments, such as "Of SQLite." A
 * smoke alarm for `npm run check`; it never fails.
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
/** The first sentence of a doc comment of one line that begins like the end of a sentence. */
const fragment =
  /^\s*\/\*\* ((?:Of|For|As|By|To|With|Without|From|In|Like|Per|Not|At)\b(?! (?:example|instance)\b)[^,.;:!?*]*)[.;:!?]/u;
/** Words that make a sentence of it. A verb that is not listed seldom stands without one that is. */
const verb =
  /\b(?:is|are|was|were|has|have|had|can|may|must|does|do|will|would|be|\w+ed|\w{3,}[^s]s)\b/u;
const sources =
  "{adapters,backup,cli,dashboard,domains,lib,server,settings,testing,transfer}/**/*.{ts,tsx}";
for await (const file of new Bun.Glob(sources).scan({ cwd: root })) {
  const lines = (await Bun.file(root + file).text()).split("\n");
  for (const [index, line] of lines.entries()) {
    const sentence = fragment.exec(line)?.[1];
    if (sentence !== undefined && !verb.test(sentence)) {
      hits.push(`${file}:${index + 1}: ${sentence} (no sentence)`);
    }
  }
}
if (hits.length > 0) console.log(`words to reconsider (docs, not an error):\n${hits.join("\n")}`);
