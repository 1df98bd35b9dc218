import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import type { Parameter } from "../model/description.ts";
import { publicApi, serverOf, type Api, type ReferenceOperation } from "../model/reference.ts";
import { constraintWords } from "../model/words.ts";
import type { Place } from "./place.ts";

/**
 * The form that tries an operation, hidden until a script shows it; nothing for operations that cannot be tried.
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

/** The first constraint of the schema, as a placeholder. */
function placeholder({ schema }: Parameter): string {
  const [words = ""] = constraintWords({ ...schema, additionalProperties: true });
  return words.replaceAll("`", "");
}

/** Turns off the browser's help with text, since the key is a secret. */
const SECRET_INPUT = markup` autocomplete="off" autocapitalize="off" spellcheck="false"`;

/** The text of a button that opens the dialog, before a credential is entered. A script keeps it current. */
export function credentialsState(api: Api): Markup {
  return api === publicApi
    ? markup`Staging<span> · no key yet</span>`
    : markup`Management<span> · no token yet</span>`;
}

/** The dialog for the credential and, of the public API, the environment. A script opens it. */
export function credentials(api: Api, place: Place): Markup {
  const { production, staging } = place;
  const ofKey = api === publicApi;
  return markup`
    <div id="credentials" class="credentials" popover role="dialog" aria-labelledby="credentials-title"${
      !ofKey && markup` data-server="${serverOf(api, place)}"`
    }>
    <p id="credentials-title" class="title">${ofKey ? "Try-it key" : "Try-it token"}</p>
    <label for="key">${ofKey ? "API key" : "Management token"}</label><div class="key"><input id="key" type="text" class="secret"${SECRET_INPUT} placeholder="${ofKey ? "pet_test_…" : "pet_manage_…"}"><button type="button" class="show" aria-pressed="false">
    Show</button></div><p id="key-hint" role="status" class="hint"></p>
    ${
      ofKey
        ? markup`
            <fieldset><legend>Environment</legend>
            <label><input type="radio" name="environment" value="Production" data-server="${production}"><span>Production</span></label>
            <label><input type="radio" name="environment" value="Staging" data-server="${staging}" checked><span>Staging</span></label>
            </fieldset>
          `
        : markup`<p class="hint">Only operations that read can be tried here. Your session in the dashboard is not used.</p>`
    }<p class="hint">The ${ofKey ? "key" : "token"} stays in this page's memory, is sent only to the API, and is discarded when you leave.</p>
    <p class="actions"><button type="button" popovertarget="credentials" popovertargetaction="hide">Done</button></p></div>
  `;
}
