/** A version of the changelog. */
export interface ChangelogEntry {
  /** `Unreleased`, or `1.2.3`. */
  readonly version: string;
  /** `2026-11-26`; undefined for `Unreleased`. */
  readonly date: string | undefined;
  readonly text: string;
}

const HEADING = /^## (?:(Unreleased)|(\d+\.\d+\.\d+(?:-[\w.]+)?) - (\d{4}-\d{2}-\d{2}))$/;

/** Returns the versions of a changelog, in its order. Throws if a heading is neither `## Unreleased` nor `## 1.2.3 - 2026-11-26`. */
export function changelogEntries(changelog: string): readonly ChangelogEntry[] {
  const [, ...parts] = changelog.split(/^(?=## )/m);
  return parts.map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    const [, unreleased, version = unreleased, date] = HEADING.exec(heading) ?? [];
    if (version === undefined) {
      throw new Error(
        `CHANGELOG.md has the heading "${heading}". Write "## Unreleased" or "## 1.2.3 - 2026-11-26".`,
      );
    }
    return { version, date, text: lines.join("\n").trim() };
  });
}

/** Returns what a release of `version` says that it changes. Throws if the changelog is not ready for it. */
export function releaseNotes(
  changelog: string,
  version: string,
): ChangelogEntry & { date: string } {
  const entries = changelogEntries(changelog);
  const [first] = entries.filter((entry) => entry.version !== "Unreleased");
  const open = entries.find((entry) => entry.version === "Unreleased");
  if (first?.version !== version || first.date === undefined) {
    throw new Error(
      `CHANGELOG.md has no heading for ${version}, the version in package.json. Write "## ${version} - ${new Date().toISOString().slice(0, 10)}" below "## Unreleased".`,
    );
  }
  if (open !== undefined && open.text !== "") {
    throw new Error(
      `CHANGELOG.md has entries under "Unreleased". Move them below "## ${version}".`,
    );
  }
  if (first.text === "") throw new Error(`CHANGELOG.md says nothing about ${version}.`);
  return { ...first, date: first.date };
}
