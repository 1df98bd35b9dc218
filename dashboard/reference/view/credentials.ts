import { markup, type Markup } from "../../../lib/publishing/storefront/markup.ts";
import type { Place } from "./place.ts";

/** What a browser would do with a text of its own accord, and not with a secret. */
const WITHOUT_HELP = markup` autocomplete="off" autocapitalize="off" spellcheck="false"`;

/** Where a key is pasted and an environment chosen. Only a script opens it. */
export function credentials({ production, staging }: Place): Markup {
  return markup`
    <div id="credentials" class="credentials" popover role="dialog" aria-labelledby="credentials-title">
    <p id="credentials-title" class="title">Key for trying</p>
    <label for="key">API key</label><div class="key"><input id="key" type="text" class="secret"${WITHOUT_HELP} placeholder="pet_test_…"><button type="button" class="show" aria-pressed="false">
    Show</button></div><p id="key-hint" role="status" class="hint"></p>
    <fieldset><legend>Environment</legend>
    <label><input type="radio" name="environment" value="Production" data-server="${production}"><span>Production</span></label>
    <label><input type="radio" name="environment" value="Staging" data-server="${staging}" checked><span>Staging</span></label>
    </fieldset><p class="hint">The key stays in the memory of this page, is sent to the API alone, and is forgotten when you leave.</p>
    <p class="actions"><button type="button" popovertarget="credentials" popovertargetaction="hide">Done</button></p></div>
  `;
}
