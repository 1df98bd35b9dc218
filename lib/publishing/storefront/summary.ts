/** What is read at a glance, in UTF-16 code units. */
const MAX_LENGTH = 240;

const graphemes = new Intl.Segmenter("en");

/** The first paragraph of rendered markdown as text, cut between two words when it is long; empty when there is none. */
export function firstParagraph(html: string): string {
  const inner = /<p>(.*?)<\/p>/s.exec(html)?.[1] ?? "";
  const text = inner
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
  return shortened(text);
}

const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  // What a person takes for one character is not cut in two.
  const character = graphemes.segment(text).containing(MAX_LENGTH);
  const cut = text.slice(0, character?.index ?? MAX_LENGTH);
  const space = cut.lastIndexOf(" ");
  // Scripts without spaces are cut where they are.
  return `${(space > MAX_LENGTH / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–-]+$/u, "")}…`;
}
