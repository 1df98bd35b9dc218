import type { JSX } from "preact";

import type { Theme } from "../../../../../lib/publishing/model/project.ts";
import { palettesOf, type Palette } from "../../../../../lib/publishing/storefront/palette.ts";
import { Icon } from "../../../components/icon.tsx";
import { words } from "../../../words/words.ts";

/** A card of the storefront in the colours that it will have, and what becomes of the accent. */
export function ThemePreview({
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
