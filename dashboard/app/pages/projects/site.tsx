import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { onOrOff, schemes, siteLanguages } from "../../../../lib/publishing/model/project.ts";
import type { SiteView } from "../../../../lib/publishing/shapes/site.ts";
import { languageOf } from "../../../../lib/publishing/storefront/language.ts";
import { call, type Problem, type Result } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { RadioField } from "../../components/choice.tsx";
import { Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import { SelectField } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { Card } from "../../components/page.tsx";
import { toast } from "../../components/toasts.tsx";
import { useUnsaved } from "../../components/unsaved.ts";
import { type InProject, inProject } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { siteWords } from "./site-words.ts";
import { words } from "../../words/words.ts";
import { ProjectPage } from "./project-page.tsx";
import {
  AccentField,
  changeBetween,
  type Draft,
  draftOf,
  type FieldName,
  LinesField,
  OneLineField,
  SITE_FILE,
  type Shared,
  shownIn,
} from "./site-fields.tsx";
import { LogoField } from "./logo-field.tsx";
import { SitePreview } from "./site-preview.tsx";

/** The settings of a project's site, with a preview. */
export const ProjectSite = inProject(siteWords.within(Site));

function Site({ project, reload }: InProject): JSX.Element {
  const site = useResource(`${project.id} ${project.liveDeployId ?? ""}`, () =>
    call("GET /projects/:project/site", { project: project.id }),
  );
  return (
    <ProjectPage project={project} reload={reload}>
      {project.deletedAt === undefined && (
        <Loaded resource={site} lines={12}>
          {(value) => (
            <SiteForm
              project={project}
              site={value}
              onSaved={(saved) => {
                site.put(saved);
                void reload();
              }}
            />
          )}
        </Loaded>
      )}
    </ProjectPage>
  );
}

function SiteForm({
  project,
  site,
  onSaved,
}: {
  readonly project: InProject["project"];
  readonly site: SiteView;
  readonly onSaved: (saved: SiteView) => void;
}): JSX.Element {
  const { common, projects } = words();
  const text = siteWords.words();
  const draft = useSignal<Draft>(draftOf(site.settings));
  const faults = useSignal<ReadonlySet<string>>(new Set());
  const { busy, problem, run } = useAttempt();
  const change = changeBetween(site.settings, draft.value);
  const changed = Object.keys(change).length > 0;
  useUnsaved(changed);

  const save = async (): Promise<Result<SiteView, Problem> | undefined> => {
    const input = { project: project.id, body: change };
    const result = await call("PATCH /projects/:project/site", input);
    const named = result.ok ? [] : (result.failure.errors ?? []);
    faults.value = new Set(named.map(({ pointer }) => pointer.slice(1)));
    return faults.value.size > 0 ? undefined : result;
  };
  const shared: Shared = { site, draft, faults };
  const usual = languageOf(shownIn(site, draft.value).language).words.heading;

  return (
    <form
      class="site-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!changed) return;
        void run(save, (saved) => {
          toast(common.saved);
          draft.value = draftOf(saved.settings);
          onSaved(saved);
        });
      }}
    >
      <fieldset class="stack" disabled={!mayChange.value}>
        <p class="soft">{text.about}</p>
        <Notices site={site} />
        {!mayChange.value && (
          <Notice>
            <p>{projects.readOnly}</p>
          </Notice>
        )}
        <Card title={text.texts}>
          <Choice
            shared={shared}
            name="language"
            label={text.language}
            hint={text.languageHint}
            options={siteLanguages.map((value) => ({ value, label: text.languages[value] }))}
            fallback="en"
          />
          <OneLineField {...shared} name="title" max={120} hint={text.titleHint(project.name)} />
          <OneLineField {...shared} name="heading" max={120} hint={text.headingHint(usual)} />
          <LinesField {...shared} name="intro" max={4_000} hint={text.introHint} />
        </Card>
        <Card title={text.contact}>
          <p class="soft">{text.contactText}</p>
          <Choice
            shared={shared}
            name="enquiries"
            label={text.enquiries}
            hint={text.enquiriesHint}
            options={onOrOff.map((value) => ({ value, label: text.enquiryForm[value] }))}
            fallback="on"
          />
          <OneLineField {...shared} name="contactName" max={120} />
          <OneLineField {...shared} name="email" max={254} type="email" />
          <OneLineField {...shared} name="phone" max={40} />
          <LinesField {...shared} name="address" max={500} few />
          <LinesField {...shared} name="hours" max={500} few />
          <OneLineField {...shared} name="website" max={2_048} literal />
        </Card>
        <Card title={text.links}>
          <p class="soft">{text.linksText}</p>
          <OneLineField {...shared} name="donate" max={2_048} hint={text.donateHint} literal />
          <OneLineField {...shared} name="visit" max={2_048} hint={text.visitHint} literal />
        </Card>
        <Card title={text.look}>
          <LogoField {...shared} project={project} />
          <Scheme {...shared} />
          <AccentField {...shared} />
        </Card>
        <Refusal problem={problem} />
        {mayChange.value && (
          <p>
            <Button type="submit" busy={busy} disabled={!changed}>
              {text.save}
            </Button>
          </p>
        )}
      </fieldset>
      <SitePreview shown={shownIn(site, draft.value)} name={project.name} />
    </form>
  );
}

/** Says which settings the live deploy decides. */
function Notices({ site: { deployWins, storefront } }: { readonly site: SiteView }): JSX.Element {
  const text = siteWords.words();
  return (
    <>
      {!storefront && (
        <Notice tone="warn">
          <p>{text.off}</p>
        </Notice>
      )}
      {deployWins.length > 0 && (
        <Notice>
          <p>{text.winsOver(SITE_FILE, deployWins.length)}</p>
        </Notice>
      )}
    </>
  );
}

function Choice({
  shared: { site, draft, faults },
  name,
  label,
  hint,
  options,
  fallback,
}: {
  readonly shared: Shared;
  readonly name: FieldName;
  readonly label: string;
  readonly hint: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly fallback: string;
}): JSX.Element {
  const text = siteWords.words();
  const wins = site.deployWins.includes(name);
  const labelOf = (value: string): string =>
    options.find((one) => one.value === value)?.label ?? value;
  return (
    <SelectField
      label={label}
      hint={wins ? text.wins(SITE_FILE, labelOf(site.shown[name] ?? "")) : hint}
      fault={faults.value.has(name) ? text.faults[name] : undefined}
      options={options}
      value={draft.value[name] === "" ? fallback : draft.value[name]}
      onInput={put(draft, name)}
    />
  );
}

function Scheme({ site, draft }: Shared): JSX.Element {
  const text = siteWords.words();
  const wins = site.deployWins.includes("scheme");
  const current = schemes.find((one) => one === draft.value.scheme) ?? "auto";
  return (
    <div class="stack tight">
      <RadioField
        label={text.scheme}
        options={schemes.map((value) => ({ value, label: text.schemes[value] }))}
        value={current}
        onInput={put(draft, "scheme")}
      />
      {wins && (
        <p class="soft small">{text.wins(SITE_FILE, text.schemes[site.shown.scheme ?? "auto"])}</p>
      )}
    </div>
  );
}

function put(draft: Signal<Draft>, name: FieldName): (value: string) => void {
  return (value) => {
    draft.value = { ...draft.value, [name]: value };
  };
}
