import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

export interface Looking {
  /** A selector of the part to look at; absent: all of it. */
  readonly within?: string;
  /** The names of the rules to apply; absent: all. */
  readonly rules?: readonly string[];
}

/** What of the page keeps people out, as axe sees it: each rule with the elements that break it. */
export async function barriers(
  page: Page,
  { within, rules }: Looking = {},
): Promise<readonly string[]> {
  // Not as a script of the page: its policy would rightly refuse it.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(source);
  const place = within === undefined ? "document" : JSON.stringify(within);
  const options = {
    resultTypes: ["violations"],
    ...(rules === undefined ? {} : { runOnly: rules }),
  };
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${place}, ${JSON.stringify(options)})`,
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html}\n${failureSummary}`),
  );
}
