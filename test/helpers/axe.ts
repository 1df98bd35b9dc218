import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

export interface Looking {
  /** A selector for the part to check; absent: the whole page. */
  readonly within?: string;
  /** The names of the rules to check; absent: all. */
  readonly rules?: readonly string[];
}

/** Returns the accessibility violations that axe finds on the page: each rule with the failing elements. */
export async function barriers(
  page: Page,
  { within, rules }: Looking = {},
): Promise<readonly string[]> {
  // Not injected as a script, which the page's policy would rightly refuse.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(source);
  const place = within === undefined ? "document" : JSON.stringify(within);
  const options = {
    resultTypes: ["violations"],
    ...(rules === undefined ? {} : { runOnly: rules }),
  };
  // Only these leave the page: all results are large.
  const violations = await page.evaluate<AxeResults["violations"]>(
    `axe.run(${place}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html}\n${failureSummary}`),
  );
}
