import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

/** What of the page keeps people out, as axe sees it: each rule with the elements that break it. */
export async function barriers(page: Page): Promise<readonly string[]> {
  // Not as a script of the page: its policy would rightly refuse it.
  await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html}\n${failureSummary}`),
  );
}
