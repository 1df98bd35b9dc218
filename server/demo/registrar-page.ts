import { escapeHTML } from "bun";

import { labelOf, mistakes, type WantedRecord } from "./mistakes.ts";
import type {
  EnteredRecord,
  KeptRecord,
  RecordFault,
} from "../../testing/domains/sandbox/registrar-zone.ts";
import type { RegistrarWords } from "./registrar-words.ts";
import { offeredTypes } from "../../testing/domains/sandbox/zones.ts";

/** A domain that Petstore knows, as far as the registrar's helper shows it. */
export interface AskedDomain {
  readonly domain: string;
  /** Address of its page in the dashboard. */
  readonly page: string;
  /** Its address if it is live; undefined while Petstore waits for a record. */
  readonly liveAt: string | undefined;
  readonly wanted: WantedRecord;
}

/** What the page of a zone shows. */
export interface ZonePage {
  readonly words: RegistrarWords;
  readonly apex: string;
  readonly records: readonly KeptRecord[];
  /** The contents of the form. */
  readonly form: EnteredRecord;
  /** The record that the form changes; undefined: it adds one. */
  readonly editing: number | undefined;
  readonly note: "saved" | "removed" | "copied" | "mistaken" | undefined;
  readonly fault: RecordFault | undefined;
  readonly asked: readonly AskedDomain[];
  readonly domainToAdd: string;
  /** Address of the page in the dashboard on which it is added. */
  readonly domainsPage: string;
  /** Shown only to the browser that signed in; undefined for others. */
  readonly password: string | undefined;
}

/** The registrar's style sheet. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#22203a;--soft:#5c5975;--paper:#f6f5fb;--card:#fff;--line:#dcd9ea;--accent:#5b3fd6;--on:#fff;--wash:#ece8ff;--bad:#ad2418;--demo:#fff8e6;--demo-line:#e6cf93}
@media(prefers-color-scheme:dark){:root{--ink:#efedf9;--soft:#b3afc9;--paper:#15131f;--card:#1e1b2b;--line:#3a3650;--accent:#b9a8ff;--on:#191329;--wash:#2b2545;--bad:#ff9d92;--demo:#2a2415;--demo-line:#5f5129}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
header{background:var(--accent);color:var(--on);padding:.75rem 1.25rem;display:flex;gap:.75rem;align-items:baseline;flex-wrap:wrap}
header strong{font-size:1.125rem}main{max-width:62rem;margin:0 auto;padding:1.25rem;display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem}
h1{font-size:1.5rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.125rem;margin:0 0 .5rem}h3{font-size:1rem;margin:1rem 0 .25rem}p{margin:.25rem 0}
section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem 1.25rem}
.demo{background:var(--demo);border-color:var(--demo-line)}
table{border-collapse:collapse;width:100%}th{text-align:left;font-size:.8125rem;color:var(--soft)}th,td{padding:.375rem .75rem .375rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td,code{overflow-wrap:anywhere}code,td,input{font-family:ui-monospace,"Liberation Mono",monospace;font-size:.875rem}
.actions{display:flex;gap:.5rem;flex-wrap:wrap;font-family:system-ui,"Segoe UI",Roboto,"Liberation Sans",sans-serif}form{margin:0}
.fields{display:grid;gap:.75rem;grid-template-columns:minmax(12rem,2fr) minmax(6rem,auto) minmax(12rem,3fr);align-items:start}
label{display:grid;gap:.25rem;font-size:.875rem}input,select{font-size:1rem;padding:.5rem;border:1px solid var(--soft);border-radius:.5rem;background:var(--paper);color:var(--ink);width:100%;min-height:2.5rem}
.after{color:var(--soft);overflow-wrap:anywhere;font-size:.8125rem}
button,.button{font:inherit;display:inline-block;padding:.4375rem .875rem;border-radius:.5rem;border:1px solid var(--accent);background:var(--accent);color:var(--on);cursor:pointer;text-decoration:none}
button.quiet,.button.quiet{background:transparent;color:var(--accent)}a{color:var(--accent)}
.note{background:var(--wash);padding:.5rem .75rem;border-radius:.5rem}.fault{color:var(--bad);font-weight:600}
.mistakes{display:grid;gap:.5rem;justify-items:start;margin-top:.5rem}.mistakes button{text-align:left}.mistakes form{display:contents}
.soft{color:var(--soft);font-size:.875rem}
@media(max-width:44rem){.fields{grid-template-columns:1fr}thead{display:none}tr,td{display:block;border:0;padding:.125rem 0}tr{border-bottom:1px solid var(--line);padding:.5rem 0}}
`;

/** Reloads the page when its reader comes back from the dashboard, unless something is typed in the form. */
export const SCRIPT = `
let typed = false;
addEventListener("input", () => { typed = true; });
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && !typed) location.reload();
});
`;

/** Writes the page with the records of a zone. */
export function zonePage(page: ZonePage): string {
  const { words, apex } = page;
  return documentOf(words, apex, [
    `<h1>${escapeHTML(apex)}</h1>`,
    helper(page),
    recordsSection(page),
    formSection(page),
    aboutSection(page),
  ]);
}

/** Writes a page with a title and a text. */
export function plainPage(words: RegistrarWords, title: string, text = ""): string {
  const body = `<section><h1>${escapeHTML(title)}</h1><p>${escapeHTML(text)}</p></section>`;
  return documentOf(words, title, [body]);
}

function documentOf(words: RegistrarWords, title: string, parts: readonly string[]): string {
  return `<!doctype html><html lang="${words.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHTML(title)} – Registrar Example</title>
<link rel="stylesheet" href="/registrar.css"><script src="/registrar.js" defer></script></head>
<body><header><strong>Registrar Example</strong><span>${escapeHTML(words.slogan)}</span></header>
<main>${parts.join("\n")}</main></body></html>`;
}

function recordsSection({ words, records, apex }: ZonePage): string {
  const rows = records.map(({ id, label, type, value }) => {
    const change = `<a class="button quiet" href="/?edit=${id}#form">${words.edit}</a>`;
    const remove = `<form method="post" action="/records/${id}/delete"><button class="quiet">${words.remove}</button></form>`;
    return `<tr><td>${shownName(label, apex)}</td><td>${type}</td><td>${escapeHTML(value)}</td>
<td><div class="actions">${change}${remove}</div></td></tr>`;
  });
  const heads = [words.name, words.type, words.value, words.actions];
  const head = heads.map((one) => `<th scope="col">${one}</th>`).join("");
  return `<section><h2>${words.records}</h2><table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></section>`;
}

function shownName(label: string, apex: string): string {
  return label === "@"
    ? "@"
    : `${escapeHTML(label)}<span class="after">.${escapeHTML(apex)}</span>`;
}

function formSection({ words, apex, form, editing, note, fault }: ZonePage): string {
  const options = offeredTypes.map(
    (one) => `<option${one === form.type ? " selected" : ""}>${one}</option>`,
  );
  const action = editing === undefined ? "/records" : `/records/${editing}`;
  const said =
    fault === undefined
      ? note === undefined
        ? ""
        : `<p class="note" role="status">${words[note]}</p>`
      : `<p class="fault" role="alert">${words.faults[fault]}</p>`;
  const cancel =
    editing === undefined ? "" : ` <a class="button quiet" href="/">${words.cancel}</a>`;
  return `<section id="form"><h2>${editing === undefined ? words.addRecord : words.edit}</h2>${said}
<form method="post" action="${action}"><div class="fields">
<label>${words.name}<input name="label" value="${escapeHTML(form.label)}" autocomplete="off" spellcheck="false"><span class="after">.${escapeHTML(apex)}</span></label>
<label>${words.type}<select name="type">${options.join("")}</select></label>
<label>${words.value}<input name="value" value="${escapeHTML(form.value)}" autocomplete="off" spellcheck="false" required></label>
</div><p class="soft">${words.nameHint}</p>
<p><button>${editing === undefined ? words.add : words.save}</button>${cancel}</p></form></section>`;
}

/** What Petstore waits for, which a real registrar would not know. */
function helper({ words, asked, apex, domainToAdd, domainsPage }: ZonePage): string {
  const waiting = asked.filter(({ liveAt }) => liveAt === undefined);
  const live = asked.flatMap(({ domain, liveAt }) =>
    liveAt === undefined ? [] : [liveSection(words, domain, liveAt)],
  );
  const isAdded = asked.some(({ domain }) => domain === domainToAdd);
  const invitation = `<p><a class="button" href="${escapeHTML(domainsPage)}">${escapeHTML(words.addDomain(domainToAdd))}</a></p>`;
  const nothing = asked.length === 0 ? `<p>${words.nothingAsked}</p>` : "";
  const parts = [
    ...live,
    ...(isAdded ? [] : [nothing + invitation]),
    ...waiting.map((one) => waitingSection(words, one, apex)),
  ];
  return `<section class="demo"><h2>${words.demo}</h2>${parts.join("")}</section>`;
}

function liveSection(words: RegistrarWords, domain: string, address: string): string {
  return `<h3>${escapeHTML(words.live(domain))}</h3>
<p><a class="button" href="${escapeHTML(address)}" target="_blank">${words.visit}</a> <a href="/root.pem">${words.root}</a></p><p class="soft">${words.warning}</p>`;
}

function waitingSection(
  words: RegistrarWords,
  { domain, page, wanted }: AskedDomain,
  apex: string,
): string {
  const { type, fqdn, value } = wanted;
  const filled = new URLSearchParams({ label: labelOf(fqdn, apex), type, value });
  const wrong = mistakes.map(
    (
      mistake,
    ) => `<form method="post" action="/mistakes"><input type="hidden" name="domain" value="${escapeHTML(domain)}">
<button class="quiet" name="mistake" value="${mistake}">${words.mistakes[mistake]}</button></form>`,
  );
  return `<h3>${escapeHTML(words.asks(domain))}</h3>
<p><code>${escapeHTML(labelOf(fqdn, apex))}</code> <code>${escapeHTML(type)}</code> <code>${escapeHTML(value)}</code></p>
<p class="actions"><a class="button" href="/?${escapeHTML(filled.toString())}#form">${words.copy}</a>
<a class="button quiet" href="${escapeHTML(page)}">${words.check}</a></p>
<details><summary>${words.mistakesTitle}</summary><p class="soft">${words.mistakesHint}</p><div class="mistakes">${wrong.join("")}</div></details>`;
}

function aboutSection({ words, password }: ZonePage): string {
  if (password === undefined) return "";
  return `<p class="soft">${escapeHTML(words.people(password))}</p>`;
}
