/**
 * Returns the text between `<!-- name:begin -->` and `<!-- name:end -->` of a page. With UPDATE_DOCS=1 it first
 * replaces that text by `fresh`.
 */
export async function section(path: string, name: string, fresh: string): Promise<string> {
  const file = Bun.file(new URL(`../../${path}`, import.meta.url));
  const [begin, end] = [`<!-- ${name}:begin -->\n`, `<!-- ${name}:end -->`];
  let text = await file.text();
  const start = text.indexOf(begin) + begin.length;
  if (start < begin.length || !text.includes(end))
    throw new Error(`${path} has no section ${name}`);
  if (process.env["UPDATE_DOCS"] === "1") {
    text = `${text.slice(0, start)}${fresh}\n${text.slice(text.indexOf(end))}`;
    await file.write(text);
  }
  return text.slice(start, text.indexOf(end)).trim();
}
