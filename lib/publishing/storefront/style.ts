import { sizedCache } from "../../base/cache.ts";
import { utf8, webDigest } from "../../base/digest.ts";
import { markup, Markup } from "./markup.ts";
import { palettesOf, type Palette } from "./palette.ts";

/** A page's style: its part of the head, and the policy that allows it. */
export interface Style {
  readonly head: Markup;
  /** Its SHA-256 as a Content-Security-Policy source. */
  readonly source: string;
}

/** Creates the style of a look, and caches recent ones. */
export function createStyles(): (look: Look) => Promise<Style> {
  const made = sizedCache<Style>(MAX_LOOKS, () => 1);
  return async (look) => {
    const name = `${look.scheme} ${look.accent ?? ""} ${look.form === true ? "form" : ""}`;
    const known = made.get(name);
    if (known !== undefined) return known;
    const css = stylesheet(look);
    const digest = await webDigest.sha256(utf8(css));
    const style = {
      // Contains no untrusted text: the accent was parsed into numbers.
      head: markup`${themeColors(look)}${new Markup(`<style>${css}</style>`)}`,
      source: `'sha256-${btoa(String.fromCharCode(...digest))}'`,
    };
    made.set(name, style);
    return style;
  };
}

const MAX_LOOKS = 200;

/** Tells the browser the colours of its own interface. */
function themeColors({ accent, scheme }: Look): Markup {
  const { light, dark } = palettesOf(accent);
  if (scheme !== "auto") {
    const paper = (scheme === "light" ? light : dark)["--paper"];
    return markup`
      <meta name="color-scheme" content="${scheme}" />
      <meta name="theme-color" content="${paper}" />
    `;
  }
  return markup`
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="${light["--paper"]}" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark["--paper"]}" />
  `;
}

/** A site's choice of colours. */
export interface Look {
  /** `#rrggbb`. Default: terracotta. */
  readonly accent?: string;
  readonly scheme: "auto" | "light" | "dark";
  /** Adds the rules of forms, which most pages do not have. */
  readonly form?: boolean;
}

/** The number of tints for placeholders. */
export const TINTS = 5;

/** Returns the stylesheet of a page. */
function stylesheet({ accent, scheme, form }: Look): string {
  const { light, dark } = palettesOf(accent);
  const schemes =
    scheme === "auto"
      ? `${root("light dark", light)}@media(prefers-color-scheme:dark){${root("light dark", dark)}}`
      : root(scheme, scheme === "light" ? light : dark);
  return schemes + tints() + RULES + FOCUS + (form === true ? FORM : "");
}

function root(scheme: string, palette: Palette): string {
  const properties = Object.entries(palette).map(([name, value]) => `${name}:${value}`);
  return `:root{color-scheme:${scheme};${properties.join(";")}}`;
}

function tints(): string {
  return Array.from(
    { length: TINTS },
    (_, tint) => `.t${tint}{--tint:var(--tint-${tint});--figure:var(--figure-${tint})}`,
  ).join("");
}

/** The points around which photos are cropped. */
const FOCUS = Array.from(
  { length: 11 },
  (_, tenth) => `.x${tenth}{--x:${10 * tenth}%}.y${tenth}{--y:${10 * tenth}%}`,
).join("");

const FORM = `
.form{display:grid;gap:1.25rem;max-width:38rem;margin-block-start:2rem}
.field{display:grid;gap:.35rem}
.field label{font-weight:600}
.field .check{display:flex;gap:.75rem;align-items:start;font-weight:400}
.field :is(input,textarea){font:inherit;color:inherit;background:var(--card);border:1px solid var(--muted);border-radius:10px;padding:.6rem .8rem;inline-size:100%}
.field textarea{resize:vertical}
.field [type=checkbox]{inline-size:1.4rem;block-size:1.4rem;flex:none;margin:.1rem 0 0;accent-color:var(--accent)}
.field [aria-invalid]{border:2px solid var(--alert)}
.fault{color:var(--alert)}
.alert{max-width:38rem;margin-block-start:1.5rem;padding:.9rem 1.1rem;border:2px solid var(--alert);border-radius:12px}
`;

const RULES = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
h1,h2,.brand{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Noto Serif",Georgia,serif;line-height:1.2;text-wrap:balance;font-weight:600;hyphens:auto}
h1{font-size:clamp(2rem,1.4rem + 2.6vw,3.25rem);letter-spacing:-.015em;margin:0}
h2{font-size:1.25rem;margin:0}
p{margin:0;text-wrap:pretty}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
.back:hover{text-decoration:underline}
img,svg{display:block;max-width:100%}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:6px}
.wrap{width:min(100% - 2.5rem,74rem);margin-inline:auto}
.skip{position:absolute;inset-inline-start:1rem;inset-block-start:-6rem;z-index:2;background:var(--card);padding:.6rem 1rem;border-radius:0 0 10px 10px}
.skip:focus{inset-block-start:0}
.top{padding-block:1.25rem;border-block-end:1px solid var(--line)}
.top .wrap{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:center;justify-content:space-between}
.help{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center}
.help .button{min-block-size:2.4rem;padding-inline:1.1rem}
.brand{display:inline-flex;align-items:center;gap:.7rem;font-size:1.2rem;color:var(--ink);text-decoration:none}
.brand img,.brand svg{inline-size:auto;block-size:2.25rem;max-inline-size:10rem;flex:none}
.brand svg{color:var(--accent);fill:currentColor}
main{padding-block:clamp(2rem,5vw,4rem)}
.intro{max-width:42rem;margin-block-start:1rem;font-size:1.15rem;color:var(--muted);white-space:pre-line}
.filters{margin-block-start:2rem;display:grid;gap:.75rem}
.chips{display:flex;flex-wrap:wrap;gap:.5rem;margin:0;padding:0;list-style:none}
.chips a{display:inline-flex;gap:.5em;align-items:center;min-block-size:2.6rem;padding:.3rem 1rem;border:1px solid var(--line);border-radius:99px;background:var(--card);color:var(--ink);text-decoration:none;font-size:.95rem;line-height:1.3}
.chips a:hover{border-color:var(--accent)}
.chips [aria-current]{background:var(--accent-soft);border-color:var(--accent);color:var(--accent);font-weight:600}
.chips small{flex:none;font-size:.85em;color:var(--muted);font-variant-numeric:tabular-nums}
.chips [aria-current] small{color:inherit}
summary{cursor:pointer;padding-block:.6rem;color:var(--accent);width:fit-content}
.count{margin-block:1.75rem 1rem;color:var(--muted);font-size:.95rem}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,16.5rem),1fr));gap:1.5rem;margin:0;padding:0;list-style:none}
.card{position:relative;display:flex;flex-direction:column;background:var(--card);border:1px solid var(--line);border-radius:18px;overflow:hidden;transition:transform .2s,box-shadow .2s}
.card:hover{transform:translateY(-3px);box-shadow:0 12px 30px -12px rgb(60 35 15/.28)}
.card:focus-within{outline:3px solid var(--accent);outline-offset:3px}
.art{position:relative;aspect-ratio:4/3;min-block-size:0;background:var(--tint);color:var(--figure)}
.art img,.art svg{inline-size:100%;block-size:100%;object-fit:cover;object-position:var(--x,50%) var(--y,50%)}
.art svg{fill:currentColor}
.cut{fill:var(--tint);stroke:var(--tint)}
.line{stroke:var(--tint)}
.about{display:flex;flex-direction:column;gap:.35rem;padding:1.1rem 1.25rem 1.3rem;flex:1}
.card h2 a{color:inherit;text-decoration:none;outline:0}
.card h2 a::after{content:"";position:absolute;inset:0}
.card:hover h2 a{color:var(--accent)}
.card h2,.teaser{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
.meta{color:var(--muted);font-size:.95rem}
.teaser{font-size:.975rem;line-height:1.5}
.pill{display:inline-block;padding:.2rem .75rem;border-radius:99px;font-size:.85rem;font-weight:600;line-height:1.5}
.card .pill{position:absolute;inset-block-end:.75rem;inset-inline-start:.75rem}
.available{color:var(--available);background:var(--available-soft)}
.pending{color:var(--pending);background:var(--pending-soft)}
.sold{color:var(--sold);background:var(--sold-soft)}
.pages{display:flex;justify-content:space-between;gap:1rem;margin-block-start:2.5rem}
.back::before,[rel=prev]::before,[dir=rtl] [rel=next]::after{content:"←"/""}
[rel=next]::after,[dir=rtl] .back::before,[dir=rtl] [rel=prev]::before{content:"→"/""}
.pages :only-child[rel=next]{margin-inline-start:auto}
.button{display:inline-flex;flex-wrap:wrap;align-items:center;justify-content:center;gap:.45em;min-block-size:2.9rem;padding:.5rem 1.35rem;border:1.5px solid var(--accent);border-radius:99px;color:var(--accent);text-decoration:none;font-weight:600;line-height:1.3;text-align:center}
.button:hover,.button.solid{background:var(--accent);color:var(--on-accent)}
.button.solid:hover{box-shadow:0 6px 18px -6px var(--accent)}
.empty{display:grid;justify-items:center;gap:1.25rem;text-align:center;padding-block:clamp(2rem,8vw,5rem)}
.empty svg{inline-size:8rem;fill:currentColor;color:var(--figure)}
.empty p{max-width:32rem;text-wrap:balance;font-size:1.15rem;color:var(--muted)}
.back{display:inline-flex;gap:.45em;text-decoration:none;margin-block-end:1.5rem}
.animal{display:grid;gap:clamp(1.5rem,4vw,3.5rem)}
.photos{display:grid;gap:.75rem;align-self:start}
.animal .art{border-radius:22px;overflow:hidden}
.gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(6.5rem,1fr));gap:.75rem;margin:0;padding:0;list-style:none}
.animal .gallery .art{border-radius:12px}
.animal header{display:grid;gap:.9rem;justify-items:start}
.facts{display:flex;flex-wrap:wrap;gap:.4rem .9rem;align-items:center;color:var(--muted)}
.choices input{inline-size:1.5rem;block-size:1.5rem}
.choices,.choices :is(label,fieldset){display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;border:0;margin:0;padding:0}
.prose{margin-block-start:1.5rem;max-width:42rem}
.prose>*{margin-block:0 1rem}
.prose :is(h2,h3,h4,h5,h6){font-size:1.1rem;margin-block:1.5rem .5rem}
.prose pre{overflow-x:auto;white-space:pre-wrap}
.prose blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:3px solid var(--line);color:var(--muted)}
.adopt{margin-block-start:2rem;padding:1.5rem;background:var(--accent-soft);border-radius:18px;display:grid;gap:.9rem}
.adopt p{white-space:pre-line}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-block-start:.35rem}
.more{margin-block-start:clamp(3rem,7vw,5rem);display:grid;gap:1.25rem}
.choices select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--muted);border-radius:10px;padding:.6rem .8rem;inline-size:100%}
:is(.form,.choices) button{font:inherit;font-weight:600;cursor:pointer}
.foot{border-block-start:1px solid var(--line);padding-block:2.5rem 3rem;color:var(--muted);font-size:.95rem}
.foot .wrap{display:grid;gap:1.75rem}
.foot h2{font-size:1.05rem;color:var(--ink);margin-block-end:.5rem}
.foot dl,.traits{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,12rem),1fr));gap:1.25rem;margin:0}
.traits{margin-block:1.5rem}
.foot dt,.traits dt{font-size:.85rem;color:var(--muted)}
:is(.foot,.traits) dd{margin:0;color:var(--ink);white-space:pre-line}
.foot p{white-space:pre-line;max-width:42rem}
.links{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
.embed main{padding-block:.5rem 1.25rem}
.embed .wrap{width:calc(100% - 1rem)}
.embed .filters{margin-block:0 1.25rem}
.embed h1{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)}
@media(min-width:56rem){.animal{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr)}.photos{position:sticky;inset-block-start:2rem}}
@media(prefers-reduced-motion:reduce){*{transition:none!important}.card:hover{transform:none}}
@media(forced-colors:active){.card,.pill,.adopt,.chips [aria-current]{border:1px solid}.chips [aria-current]{outline:2px solid Highlight}}
@media print{.filters,.help,.pages,.skip,.links,.actions,.more,.back{display:none}body{background:#fff;color:#000}.card{break-inside:avoid}.photos{position:static;max-width:60%}}
`;
