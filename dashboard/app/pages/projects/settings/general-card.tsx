import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { JSX } from "preact";

import { faultOfSlug } from "../../../../../lib/publishing/model/slug.ts";
import { TextField } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import type { InProject } from "../../../state/in-account.tsx";
import { into } from "../../../state/into.ts";
import { words } from "../../../words/words.ts";
import { hostOf, renamed } from "../addresses.ts";
import { SettingsForm } from "./settings-form.tsx";

/** What a project is called, and where it is. */
export function GeneralCard({ project, reload }: InProject): JSX.Element {
  const { projects } = words();
  const { route } = useLocation();
  const name = useSignal(project.name);
  const slug = useSignal(project.slug);
  const taken = useSignal(false);
  const moved = slug.value !== project.slug;
  const faulty = faultOfSlug(slug.value) !== undefined;
  const change = {
    ...(name.value.trim() === project.name ? {} : { name: name.value.trim() }),
    ...(moved ? { slug: slug.value } : {}),
  };
  return (
    <SettingsForm
      project={project}
      title={projects.general}
      change={Object.keys(change).length === 0 ? undefined : change}
      faulty={faulty || name.value.trim() === ""}
      onSaved={(saved) => {
        // The address of this very view is made of it.
        if (saved.slug !== project.slug) route(`/projects/${saved.slug}/settings`, true);
        else void reload();
      }}
      onRefused={({ code }) => {
        taken.value = code === "slug_taken";
        return taken.value;
      }}
    >
      <TextField
        label={projects.name}
        hint={projects.nameHint}
        value={name.value}
        required
        maxLength={80}
        onInput={into(name)}
      />
      <TextField
        label={projects.slug}
        hint={hostOf(renamed(project.url, project.slug, faulty ? project.slug : slug.value))}
        fault={faulty ? projects.slugFault : taken.value ? projects.slugTaken : undefined}
        value={slug.value}
        required
        literal
        onInput={(value) => {
          slug.value = value.toLowerCase();
          taken.value = false;
        }}
      />
      {moved && !faulty && (
        <Notice live="status">
          <p>{projects.moves(project.slug, slug.value)}</p>
        </Notice>
      )}
    </SettingsForm>
  );
}
