import type { JSX } from "preact";

import type { LimitsView } from "../../../../lib/index.ts";
import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import { petStatuses } from "../../../../lib/catalogue/model-statuses.ts";
import type { Output } from "../../api.ts";
import { AWAY, Button, ButtonLink } from "../../components/button.tsx";
import { Empty, Loaded, Notice } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { Meter, ProjectState } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { Instant } from "../../components/time.tsx";
import { newEnquiries } from "../../state/inbox.ts";
import { mayChange } from "../../state/me.ts";
import type { Resource } from "../../state/resource.ts";
import { number } from "../../words/format.ts";
import { overviewWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import type { Step, StepName } from "./steps.ts";

/** Numbers of a catalogue. */
export type CatalogueSummary = Output<"GET /accounts/:account/:environment/summary">;

export function AnimalsCard({
  base,
  summary,
}: {
  /** Address of the account's pages. */
  readonly base: string;
  readonly summary: Resource<CatalogueSummary>;
}): JSX.Element {
  const text = overviewWords.words();
  const { common } = words();
  return (
    <Card title={text.animals} actions={<a href={`${base}/animals`}>{text.animalsAll}</a>}>
      <Loaded resource={summary} lines={4}>
        {({ pets, orders }) => (
          <>
            <ul class="figures">
              {petStatuses.map((status) => (
                <li key={status}>
                  <a href={`${base}/animals?status=${status}`}>
                    <span class={`dot ${status}`} />
                    {common.statuses[status]}
                    <strong>{number(pets[status])}</strong>
                  </a>
                </li>
              ))}
            </ul>
            <div
              class="share"
              role="img"
              aria-label={text.share(pets.available, pets.pending, pets.sold)}
            >
              {petStatuses.map(
                (status) =>
                  pets[status] > 0 && (
                    <span key={status} class={status} style={{ flexGrow: pets[status] }} />
                  ),
              )}
            </div>
            <div class="row apart soft">
              {pets.available + pets.pending + pets.sold === 0 ? (
                <p>{text.animalsEmpty}</p>
              ) : (
                <a href={`${base}/orders`}>{text.orders(orders)}</a>
              )}
              {newEnquiries.value > 0 && (
                <a class="badge warn" href={`${base}/enquiries?state=new`}>
                  {text.enquiries(newEnquiries.value)}
                </a>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** The page of projects lists the others. */
const SHOWN = 3;

export function ProjectsCard({
  base,
  projects: listed,
}: {
  readonly base: string;
  readonly projects: Resource<readonly ProjectView[]>;
}): JSX.Element {
  const text = overviewWords.words();
  const { projects } = words();
  const href = `${base}/projects`;
  return (
    <Card title={text.projects} bare actions={<a href={href}>{text.projectsAll}</a>}>
      <Loaded resource={listed} lines={3}>
        {(all) =>
          all.length === 0 ? (
            <Empty
              title={projects.none}
              actions={mayChange.value && <ButtonLink href={href}>{projects.create}</ButtonLink>}
            >
              {projects.noneText}
            </Empty>
          ) : (
            <>
              <ul class="lines">
                {all.slice(0, SHOWN).map((project) => (
                  <ProjectLine key={project.id} project={project} />
                ))}
              </ul>
              {all.length > SHOWN && (
                <footer>
                  <a href={href}>{text.moreProjects(all.length - SHOWN)}</a>
                </footer>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function ProjectLine({ project }: { readonly project: ProjectView }): JSX.Element {
  const { slug, name, url, liveDeploy } = project;
  return (
    <li class="row apart">
      <div class="stack tight site">
        <a class="link" href={`/projects/${slug}`}>
          {name}
        </a>
        {liveDeploy !== undefined && (
          <a class="small" href={url} {...AWAY}>
            {url.replace(/^https?:\/\//, "")} <Icon name="away" />
          </a>
        )}
      </div>
      <span class="row">
        <ProjectState project={project} />
        {liveDeploy !== undefined && (
          <span class="soft small">
            <Instant at={liveDeploy.activatedAt ?? liveDeploy.createdAt} />
          </span>
        )}
      </span>
    </li>
  );
}

/** The requests used of today's limit. */
export function LimitsCard({
  base,
  limits,
}: {
  readonly base: string;
  readonly limits: Resource<LimitsView>;
}): JSX.Element {
  const text = overviewWords.words();
  return (
    <Card title={text.today} actions={<a href={`${base}/usage`}>{text.usage}</a>}>
      <Loaded resource={limits} lines={4}>
        {({ windows, keys, countBy }) => {
          const banned = keys.filter(({ ban }) => ban !== null).length;
          return (
            <>
              {windows.toReversed().map(({ name, limit, remaining, resetAt }) => {
                const used = limit - remaining;
                const label = name === "day" ? text.used(used, limit) : text.minute(used, limit);
                return (
                  <div key={name} class="stack tight">
                    <p class={name === "day" ? "row apart" : "row apart soft small"}>
                      <span>{label}</span>
                      {resetAt !== null && name === "day" && (
                        <span class="soft small">
                          {text.resets} <Instant at={resetAt} />
                        </span>
                      )}
                    </p>
                    <Meter value={used} max={limit} label={label} />
                  </div>
                );
              })}
              {countBy === "key" && <p class="soft small">{text.countedByKey}</p>}
              {banned > 0 && (
                <Notice tone="warn">
                  <p>{text.banned(banned)}</p>
                  <p>
                    <a href={`${base}/keys`}>{text.toKeys}</a>
                  </p>
                </Notice>
              )}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

/** The way from an empty account to a site on its own domain. Users can hide it. */
export function StepsCard({
  steps,
  hrefs,
  onHide,
}: {
  readonly steps: readonly Step[];
  readonly hrefs: Readonly<Record<StepName, string>>;
  readonly onHide: () => void;
}): JSX.Element {
  const { firstSteps } = overviewWords.words();
  return (
    <Card
      title={firstSteps.title}
      bare
      actions={
        <Button small look="quiet" onClick={onHide}>
          {firstSteps.hide}
        </Button>
      }
    >
      <ol class="first-steps">
        {steps.map(({ name, done, next }, index) => {
          const { title, text, action } = firstSteps[name];
          return (
            <li key={name} class={done ? "done" : next ? "next" : ""}>
              <span class="mark-of-step">
                {done ? (
                  <>
                    <Icon name="check" />
                    <span class="out-of-sight">{firstSteps.done}</span>
                  </>
                ) : (
                  index + 1
                )}
              </span>
              <div>
                <h3>{title}</h3>
                {!done && <p class="soft">{text}</p>}
              </div>
              {!done && (
                <ButtonLink small href={hrefs[name]}>
                  {action}
                </ButtonLink>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
