import type { HelpEntry } from "../../guides/guides.ts";
import type { GuideHost } from "../../guides/host.ts";
import type { Reference } from "../model/reference.ts";

/** What a program that reads for somebody finds here, and where (llmstxt.org). */
export function llmsText(
  { description, operations }: Reference,
  pages: readonly HelpEntry[],
  { origin, production, staging }: Pick<GuideHost, "origin" | "production" | "staging">,
): string {
  const { info } = description;
  const link = (path: string, title: string, words: string): string =>
    `- [${title}](${origin}${path}): ${words}`;
  return `# ${info.title}

> ${info.summary} ${info.description.replaceAll("\n", " ")}

Production answers at ${production}, Staging at ${staging}. Both take an API key as \`Authorization: Bearer …\`: \`pet_live_…\` in Production, \`pet_test_…\` in Staging. Wait as long as \`Retry-After\` says after a 429; send \`Idempotency-Key\` with POST and PATCH.

## API

- [OpenAPI 3.1 document](${production}/openapi.json): the whole description; no key is needed
${operations
  .map(({ id, method, path, summary, stability, deprecated }) =>
    link(
      `/docs/${id}.md`,
      summary,
      `\`${method} ${path}\`${stability === undefined ? "" : `, ${stability}`}${deprecated ? ", deprecated" : ""}`,
    ),
  )
  .join("\n")}

## Help

${pages.map(({ path, title, summary }) => link(`${path}.md`, title, summary)).join("\n")}

## Optional

- [Management API](${origin}/manage/v1/openapi.json): OpenAPI 3.1 document of accounts, keys, sites, deploys and domains
`;
}
