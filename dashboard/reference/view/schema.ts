import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import { nameIn, type Schema } from "../model/description.ts";
import { constraintWords, typeWords } from "../model/words.ts";
import { inline } from "./prose.ts";

export type Schemas = Readonly<Record<string, Schema>>;

/** The anchor of a named schema. */
export function schemaId(name: string): string {
  return `schema-${name}`;
}

/** The type, with a link to its schema. */
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

/** The members of an object, with nested members; nothing for other types. */
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

/** A field's name and type, followed by its description. */
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

/** The description and constraints of a value. */
export function facts(schema: Schema, schemas: Schemas): Markup {
  const { description } = schema.description === undefined ? resolved(schema, schemas) : schema;
  const words = constraintWords(resolved(schema, schemas));
  return markup`
    ${description !== undefined && markup`<p>${inline(description)}</p>`}
    ${words.length > 0 && markup`<p class="constraints">${inline(words.join(" · "))}</p>`}
  `;
}

/** Resolves a reference. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] ?? {});
}
