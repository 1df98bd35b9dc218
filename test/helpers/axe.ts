import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

/**
 * What of the page keeps people out, as axe sees it: each rule with the elements that break it. `within` is a selector of
 * the part to look at; absent: all of it.
 */
export async function barriers(page: Page, within?: string): Promise<readonly string[]> {
  // Not as a script of the page: its policy would rightly refuse it.
  await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${within === undefined ? "document" : JSON.stringify(within)})`,
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html}\n${failureSummary}`),
  );
}
