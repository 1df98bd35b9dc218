import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import { constraintWords } from "../model/constraints.ts";
import type { Parameter } from "../model/description.ts";
import type { ReferenceOperation } from "../model/reference.ts";

/**
 * The form by which an operation is tried. It is there for a script alone, which shows it; nothing where the operation
 * may not be tried.
 */
export function tryPanel(operation: ReferenceOperation): Part {
  const { id, method, path, parameters, body, tryable } = operation;
  if (!tryable) return false;
  return markup`
    <details class="try" data-operation="${id}" hidden><summary>Try it</summary>
    <form data-method="${method}" data-path="${path}" novalidate>
    <p class="target"><button type="button" class="credentials-state" popovertarget="credentials"></button></p>
    ${parameters.length > 0 && markup`<div class="inputs">${parameters.map((one) => input(id, one))}</div>`}
    ${
      body !== undefined &&
      markup`
        <label class="body"><span>Body</span><textarea name="body" rows="6" spellcheck="false" autocomplete="off">
        ${`\n${JSON.stringify(body.example, null, 2)}`}</textarea></label>
        <p class="fault" role="status"></p>
      `
    }
    <p class="actions"><button type="submit" class="send">Send</button>
    <button type="button" class="cancel" hidden>Cancel</button>
    <button type="button" class="curl">Copy as curl</button></p>
    <div class="result" aria-live="polite"></div></form></details>
  `;
}

function input(operation: string, parameter: Parameter): Markup {
  const { name, in: place, required = false, schema } = parameter;
  const id = `${operation}-${name}`;
  const choices = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : undefined);
  const attributes = markup` data-in="${place}" name="${name}" id="${id}"${required && markup` required`}`;
  return markup`
    <div><label for="${id}"><code>${name}</code>${required && markup` <span class="required">required</span>`}</label>
    ${
      choices === undefined
        ? markup`<input${attributes} type="text" autocomplete="off" spellcheck="false"${
            schema.type === "integer" && markup` inputmode="numeric"`
          } placeholder="${placeholder(parameter)}">`
        : markup`<select${attributes}><option value=""></option>${choices.map(
            (choice) => markup`<option>${choice}</option>`,
          )}</select>`
    }</div>
  `;
}

/** What to type, as far as the schema tells. */
function placeholder({ schema }: Parameter): string {
  const [words = ""] = constraintWords({ ...schema, additionalProperties: true });
  return words.replaceAll("`", "");
}
