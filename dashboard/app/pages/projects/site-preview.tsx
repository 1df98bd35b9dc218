import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { languageOf } from "../../../../lib/publishing/storefront/language.ts";
import { palettesOf } from "../../../../lib/publishing/storefront/palette.ts";
import { Icon } from "../../components/icon.tsx";
import { siteWords } from "./site-words.ts";
import type { Draft } from "./site-fields.tsx";

/** Shows the home page of the storefront in small, as the form would make it. */
export function SitePreview({
  shown,
  name,
}: {
  readonly shown: Draft;
  /** The name of the project. */
  readonly name: string;
}): JSX.Element {
  const text = siteWords.words();
  const night = useSignal(false);
  const { light, dark } = palettesOf(shown.accent === "" ? undefined : shown.accent);
  const fixed = shown.scheme === "light" || shown.scheme === "dark" ? shown.scheme : undefined;
  const isDark = fixed === undefined ? night.value : fixed === "dark";
  const { tag, direction, words } = languageOf(shown.language);
  const { donate, visit, intro } = shown;
  const facts = [
    [words.address, shown.address],
    [words.hours, shown.hours],
    [words.phone, shown.phone],
    [words.email, shown.email],
    [words.website, shown.website.replace(/^https?:\/\//i, "").replace(/\/$/, "")],
  ].filter(([, value]) => value !== "");
  return (
    <section class="site-preview-place" aria-label={text.preview}>
      <div class="project-head">
        <h2>{text.preview}</h2>
        {fixed === undefined && (
          <div class="segments">
            {[false, true].map((dusk) => (
              <button
                key={String(dusk)}
                type="button"
                aria-pressed={night.value === dusk}
                onClick={() => (night.value = dusk)}
              >
                {dusk ? text.byNight : text.byDay}
              </button>
            ))}
          </div>
        )}
      </div>
      <div class="site-preview" style={{ ...(isDark ? dark : light) }} lang={tag} dir={direction}>
        <div class="head">
          <strong>{shown.title === "" ? name : shown.title}</strong>
          {visit !== "" && <span class="link">{words.visit}</span>}
          {donate !== "" && <span class="pill">{words.donate}</span>}
        </div>
        <div class="body">
          <p class="big">{shown.heading === "" ? words.heading : shown.heading}</p>
          {intro !== "" && <p class="muted lines">{intro}</p>}
          <div class="animal">
            <div class="art">
              <Icon name="animals" />
            </div>
            <div class="text">
              <span class="tag">{words.status.available}</span>
              <strong class="link">{text.previewAnimal}</strong>
            </div>
          </div>
        </div>
        {facts.length > 0 && (
          <div class="body">
            <strong>{shown.contactName === "" ? words.contact : shown.contactName}</strong>
            <dl>
              {facts.map(([term, value]) => (
                <div key={term}>
                  <dt class="muted">{term}</dt>
                  <dd class="lines">{value}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
      </div>
    </section>
  );
}
