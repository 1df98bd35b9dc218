/** The results of tests. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** `12 passed, 0 failed`, and `, 1 skipped` if any was. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** Counts skipped tests as failed, for runs where skipping is not allowed. */
export function strictly({ passed, failed, skipped }: Tally): Tally {
  return { passed, failed: failed + skipped, skipped: 0 };
}

/** Returns the skipped tests of a JUnit report, by file and name. */
export function skippedIn(report: string): readonly string[] {
  return casesWith(report, "skipped");
}

/** Returns the failed tests of a JUnit report, by file and name. */
export function failedIn(report: string): readonly string[] {
  return casesWith(report, "failure");
}

function casesWith(report: string, element: string): readonly string[] {
  const pattern = `<testcase name="([^"]*)"[^>]* file="([^"]*)"[^>]*>\\s*<${element}`;
  const cases = report.matchAll(new RegExp(pattern, "g"));
  return [...cases].map(([, name = "", file = ""]) => `${file}: ${unescaped(name)}`);
}

function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&apos;": "'",
    "&amp;": "&",
  };
  return text.replaceAll(/&\w+;/g, (escaped) => characters[escaped] ?? escaped);
}

/**
 * Reads what `bun test` left: its JUnit report (undefined if it died before writing one) and its
 * exit code. A file of `files` that the report does not know broke before its first test: it counts
 * as failed, as does a process that ended badly though every test it reports is well. With a filter
 * the tests left out are not skipped, and a suite of which nothing is left is no failure.
 */
export function tallyOf(
  report: string | undefined,
  exitCode: number,
  files: readonly string[],
  { filtered = false }: { readonly filtered?: boolean } = {},
): Tally {
  const head = /<testsuites [^>]*>/.exec(report ?? "")?.[0];
  if (report === undefined || head === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const attribute = (name: string): number =>
    Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const failures = attribute("failures");
  const leftOut = attribute("skipped");
  const passed = attribute("tests") - failures - leftOut;
  const silent = files.filter((file) => !report.includes(` file="${file}"`)).length;
  const nothing = passed + failures + silent === 0;
  const broken = failures + silent === 0 && (nothing ? !filtered : exitCode !== 0);
  return {
    passed,
    failed: failures + silent + (broken ? 1 : 0),
    skipped: filtered ? 0 : leftOut,
  };
}
