import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { done } from "../../../../lib/base/result.ts";
import { schemes, type Theme } from "../../../../lib/publishing/model/project.ts";
import type { SiteFile } from "../../../../lib/publishing/model/site-file.ts";
import { type Palette, palettesOf } from "../../../../lib/publishing/storefront/palette.ts";
import { call } from "../../api.ts";
import { RadioField } from "../../components/choice.tsx";
import { Notice } from "../../components/feedback.tsx";
import { bound, Field } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import type { InProject } from "../../state/in-account.tsx";
import { useResource } from "../../state/resource.ts";
import { words } from "../../words/words.ts";
import { SettingsForm } from "./settings-form.tsx";

const COLOUR = /^#[0-9a-f]{6}$/;
/** The storefront's accent, shown while none is chosen. */
const OWN = "#b04a26";
const SITE_FILE = "petstore.site.json";

/** The colours of a project's storefront. */
export function ThemeCard({ project, reload }: InProject): JSX.Element {
  const { projects } = words();
  const { id, liveDeployId, theme } = project;
  const scheme = useSignal(theme.scheme ?? "auto");
  const accent = useSignal(theme.accent ?? "");
  const siteFile = useResource(liveDeployId ?? "", async () =>
    liveDeployId === undefined
      ? done<SiteFile>({})
      : call("GET /projects/:project/deploys/:deploy/site-file", {
          project: id,
          deploy: liveDeployId,
        }),
  );
  const faulty = accent.value !== "" && !COLOUR.test(accent.value);
  const same = accent.value === (theme.accent ?? "") && scheme.value === (theme.scheme ?? "auto");
  const type = (value: string): void => {
    accent.value = value.trim().toLowerCase();
  };

  return (
    <SettingsForm
      project={project}
      text={projects.looks}
      about={projects.looksText}
      change={
        same
          ? undefined
          : {
              theme: {
                scheme: scheme.value,
                ...(accent.value === "" ? {} : { accent: accent.value }),
              },
            }
      }
      faulty={faulty}
      onSaved={() => void reload()}
    >
      <Overruled theme={siteFile.value?.theme} />
      <RadioField
        label={projects.scheme}
        options={schemes.map((value) => ({ value, label: projects.schemes[value] }))}
        {...bound(scheme)}
      />
      <Field
        label={projects.accent}
        hint={projects.accentHint}
        fault={faulty ? projects.accentFault : undefined}
      >
        {(tied) => (
          <div class="colour">
            <input
              type="color"
              aria-label={projects.pick}
              value={COLOUR.test(accent.value) ? accent.value : OWN}
              onInput={(event) => type(event.currentTarget.value)}
            />
            <input
              class="input mono"
              {...tied}
              value={accent.value}
              placeholder={OWN}
              maxLength={7}
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => type(event.currentTarget.value)}
            />
          </div>
        )}
      </Field>
      <ThemePreview
        accent={faulty || accent.value === "" ? undefined : accent.value}
        scheme={scheme.value}
      />
    </SettingsForm>
  );
}

/** Names the settings that the live site overrides. */
function Overruled({ theme }: { readonly theme: SiteFile["theme"] }): JSX.Element | null {
  const { projects } = words();
  const overridden = [
    theme?.accent === undefined ? undefined : `${projects.accent}: ${theme.accent}`,
    theme?.scheme === undefined
      ? undefined
      : `${projects.scheme}: ${projects.schemes[theme.scheme]}`,
  ].filter((one) => one !== undefined);
  if (overridden.length === 0) return null;
  return (
    <Notice>
      <p>
        {projects.siteFileWins(SITE_FILE)} {overridden.join(" · ")}
      </p>
    </Notice>
  );
}

/** Shows a storefront card in the chosen colours, and how the accent is adjusted. */
function ThemePreview({
  accent,
  scheme,
}: {
  readonly accent: string | undefined;
  readonly scheme: NonNullable<Theme["scheme"]>;
}): JSX.Element {
  const { projects } = words();
  const { light, dark } = palettesOf(accent);
  const shown = [
    ...(scheme === "dark" ? [] : [[projects.byDay, light] as const]),
    ...(scheme === "light" ? [] : [[projects.byNight, dark] as const]),
  ];
  return (
    <div class="stack tight">
      <h3>{projects.preview}</h3>
      <div class="theme-previews">
        {shown.map(([title, palette]) => (
          <Sample key={title} title={title} palette={palette} />
        ))}
      </div>
      <p class="soft small" role="status">
        {accent !== undefined && contrastNote(accent, scheme, light, dark)}
      </p>
    </div>
  );
}

function contrastNote(
  accent: string,
  scheme: NonNullable<Theme["scheme"]>,
  light: Palette,
  dark: Palette,
): string {
  const { projects } = words();
  const byDay = light["--accent"] ?? accent;
  const byNight = dark["--accent"] ?? accent;
  const notes = [
    scheme !== "dark" && byDay !== accent ? projects.adjustedDark(byDay) : undefined,
    scheme !== "light" && byNight !== accent ? projects.adjustedLight(byNight) : undefined,
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? projects.readable : notes.join(" ");
}

function Sample({
  title,
  palette,
}: {
  readonly title: string;
  readonly palette: Palette;
}): JSX.Element {
  const { common, projects } = words();
  return (
    <figure>
      <div class="theme-preview" style={{ ...palette }} aria-hidden="true">
        <div class="art">
          <Icon name="animals" />
        </div>
        <div class="text">
          <span class="tag">{common.statuses.available}</span>
          <strong>{projects.previewAnimal}</strong>
          <span class="muted">{projects.previewText}</span>
          <span class="button">{projects.previewButton}</span>
        </div>
      </div>
      <figcaption class="soft small">{title}</figcaption>
    </figure>
  );
}
