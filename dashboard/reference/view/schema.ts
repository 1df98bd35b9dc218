import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import { constraintWords, typeWords } from "../model/constraints.ts";
import { nameIn, type Schema } from "../model/description.ts";
import { inline } from "./prose.ts";

export type Schemas = Readonly<Record<string, Schema>>;

/** Where the page tells of a schema that has a name. */
export function schemaId(name: string): string {
  return `schema-${name}`;
}

/** The type, leading to where its name is explained. */
export function typeLink(schema: Schema): Part {
  const { $ref, items } = schema;
  if ($ref !== undefined) {
    const name = nameIn($ref);
    return markup`<a class="type" href="#${schemaId(name)}">${name}</a>`;
  }
  if (schema.type === "array" && items !== undefined) {
    return markup`<span class="type">array of </span>${typeLink(items)}`;
  }
  return markup`<span class="type">${typeWords(schema)}</span>`;
}

/** The members of an object, those of objects within it below them. Nothing for what has no members. */
export function members(schema: Schema, schemas: Schemas): Part {
  const { properties, required = [] } = resolved(schema, schemas);
  if (properties === undefined) return false;
  return markup`<ul class="fields">${Object.entries(properties).map(([name, member]) => {
    const nested = member.type === "array" ? (member.items ?? {}) : member;
    return markup`<li>${fieldLine(name, member, required.includes(name), schemas)}${
      nested.$ref === undefined && members(nested, schemas)
    }</li>`;
  })}</ul>`;
}

/** A field in one line, and what there is to say of it in another. */
export function fieldLine(
  name: string,
  schema: Schema,
  required: boolean,
  schemas: Schemas,
): Markup {
  return markup`
    <div class="field"><code class="name">${name}</code> ${typeLink(schema)}
    ${required && markup` <span class="required">required</span>`}</div>${facts(schema, schemas)}
  `;
}

/** What a value means, and everything that is asked of it. */
export function facts(schema: Schema, schemas: Schemas): Markup {
  const { description } = schema.description === undefined ? resolved(schema, schemas) : schema;
  const words = constraintWords(resolved(schema, schemas));
  return markup`
    ${description !== undefined && markup`<p>${inline(description)}</p>`}
    ${words.length > 0 && markup`<p class="constraints">${inline(words.join(" · "))}</p>`}
  `;
}

/** What a reference leads to. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] ?? {});
}
