import { problems } from "../../lib/base/problem.ts";
import type { HelpEntry, GuideHost } from "../guides/guides.ts";
import { sampleIn } from "./model/call.ts";
import { nameIn, type Schema } from "./model/description.ts";
import {
  plainCall,
  publicApi,
  serverOf,
  type Answer,
  type Reference,
  type ReferenceOperation,
} from "./model/reference.ts";
import { constraintWords, typeWords, dayWords } from "./model/words.ts";

type Schemas = Readonly<Record<string, Schema>>;

/** Writes one operation as self-contained Markdown, for coding tools. */
export function operationText(
  operation: ReferenceOperation,
  { api, schemas }: Reference,
  host: Pick<GuideHost, "origin" | "production" | "help">,
): string {
  const { method, path, summary, description, parameters, body, uploads, answers } = operation;
  const server = serverOf(api, host);
  const help = host.help === "" ? host.origin : host.help;
  const credential = api === publicApi ? "an API key" : "a management token";
  const success = answers.find(({ status }) => status < 300);
  const refusals = answers.filter(({ codes }) => codes.length > 0);
  const text = blocks([
    `# ${summary}`,
    `\`${method} ${path}\`${statusOf(operation)}`,
    description,
    `URL: \`${server}${path}\`. ${
      operation.secret === null
        ? "Needs no credential."
        : `Send ${credential} as \`Authorization: Bearer …\`.`
    }`,
    parameters.length > 0 && "## Parameters",
    parameters
      .map(({ name, in: place, required, schema, description: words }) =>
        field(
          `${name}\` (${place}${required === true ? ", required" : ""})`,
          schema,
          words,
          schemas,
        ),
      )
      .join("\n"),
    body !== undefined && `## Body\n\n${memberList(body.schema, schemas)}`,
    uploads.length > 0 &&
      `## ${body === undefined ? "Body" : "Or a file as body"}\n\n${uploads.map((type) => `\`${type}\``).join(", ")}`,
    `## Example\n\n${fenced("sh", sampleIn("curl", plainCall(operation, schemas, server)))}`,
    success !== undefined && answered(success, schemas),
    refusals.length > 0 && "## Errors",
    refusals
      .flatMap(({ status, codes }) =>
        codes.map(
          (code) =>
            `- ${status} [\`${code}\`](${help}/help/errors#${code}): ${problems[code].title}.`,
        ),
      )
      .join("\n"),
  ]);
  return `${text}\n`;
}

function statusOf({ stability, deprecated, sunset }: ReferenceOperation): string {
  return [
    ...(stability === undefined ? [] : [` · ${stability}`]),
    ...(deprecated ? [" · deprecated"] : []),
    ...(sunset === undefined ? [] : [`, to be removed on ${dayWords(sunset)}`]),
  ].join("");
}

function answered(
  { status, description, schema, example, headers }: Answer,
  schemas: Schemas,
): string {
  return blocks([
    `## Response ${status}`,
    description,
    schema !== undefined && `Body: ${typeWords(schema)}.`,
    schema !== undefined && memberList(schema, schemas),
    example !== undefined && fenced("json", JSON.stringify(example, null, 2)),
    `Headers: ${headers.map(([name]) => `\`${name}\``).join(", ")}.`,
  ]);
}

/** Lists the members of an object, or of the objects in a list. */
function memberList(schema: Schema, schemas: Schemas, indent = ""): string {
  const { properties, items, required = [] } = resolved(schema, schemas);
  if (properties === undefined)
    return items === undefined ? "" : memberList(items, schemas, indent);
  return Object.entries(properties)
    .map(([name, member]) => {
      const needed = required.includes(name) ? " (required)" : "";
      const line = field(`${name}\`${needed}`, member, member.description, schemas);
      const within = member.$ref === undefined ? memberList(member, schemas, `${indent}  `) : "";
      return `${indent}${line}${within === "" ? "" : `\n${within}`}`;
    })
    .join("\n");
}

/** `name` includes its closing backtick. */
function field(name: string, schema: Schema, words: string | undefined, schemas: Schemas): string {
  const whole = resolved(schema, schemas);
  const constraints = [typeWords(schema), ...constraintWords(whole)].join(" · ");
  const said = words ?? whole.description;
  return `- \`${name}: ${constraints}${said === undefined ? "" : `. ${said}`}`;
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] ?? {});
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function blocks(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== "").join("\n\n");
}

/**
 * Writes `llms.txt`, the index for language models (llmstxt.org). All links lead to Markdown. Only the base domain's
 * contains the management API.
 */
export function llmsText(
  references: readonly Reference[],
  pages: readonly HelpEntry[],
  { origin, production, staging, help, dashboard }: GuideHost,
): string {
  const [{ info } = { info: { title: "", summary: "", description: "" } }] = references.map(
    ({ description }) => description,
  );
  const link = (address: string, title: string, words: string): string =>
    `- [${title}](${address}): ${words}`;
  const helpLinks = (language: HelpEntry["language"]): string =>
    pages
      .filter((page) => page.language === language)
      .map(({ path, title, summary }) =>
        link(`${help === "" ? origin : help}${path}.md`, title, summary),
      )
      .join("\n");
  const documents = [
    `\`${production}/openapi.json\``,
    ...(dashboard ? [`\`${origin}/manage/v1/openapi.json\` (management API)`] : []),
  ];
  return `# ${info.title}

> ${info.summary} ${info.description.replaceAll("\n", " ")}

Production answers at ${production}, Staging at ${staging}. Both require an API key in \`Authorization: Bearer …\`: \`pet_live_…\` in Production, \`pet_test_…\` in Staging. After a 429, wait for the time in \`Retry-After\`. Send \`Idempotency-Key\` with POST and PATCH.

The complete descriptions are OpenAPI 3.1 documents, available without a key: ${documents.join(", ")}.

${references.map((reference) => `## ${reference.api.name}\n\n${operationLinks(reference, origin)}\n\n`).join("")}## Help

${helpLinks("en")}

## Optional

${helpLinks("de")}
`;
}

function operationLinks({ api, operations }: Reference, origin: string): string {
  return operations
    .map(({ id, method, path, summary, stability, deprecated }) => {
      const states = [stability, deprecated ? "deprecated" : undefined].filter(
        (state) => state !== undefined,
      );
      const words = [`\`${method} ${path}\``, ...states].join(", ");
      return `- [${summary}](${origin}${api.page}/${id}.md): ${words}`;
    })
    .join("\n");
}
