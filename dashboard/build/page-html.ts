/** Addresses of what the page needs. */
export interface PageParts {
  readonly script: string;
  /** What the script imports. */
  readonly preload: readonly string[];
  /** Runs before anything is painted: it sets theme and language. */
  readonly paint: string;
  readonly style: string;
  readonly icon: string;
}

/** Shown when scripts or words do not come: there are no catalogues yet. The style chooses by the language of the page. */
const late = `<p lang="en">This takes longer than it should. If nothing changes, load the page again.</p>
<p lang="de">Das dauert länger, als es sollte. Wenn sich nichts tut, laden Sie die Seite neu.</p>`;

/** The page that every view of the dashboard begins with. */
export function pageHtml({ script, preload, paint, style, icon }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Petstore</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="stylesheet" href="${style}">
<script src="${paint}"></script>
<script type="module" src="${script}"></script>
${preload.map((path) => `<link rel="modulepreload" href="${path}">\n`).join("")}</head>
<body>
<div id="app"><noscript><p class="noscript">The dashboard needs JavaScript. The command <code>petstore</code> can do all that it does.</p></noscript><div class="late">${late}</div></div>
</body>
</html>
`;
}
