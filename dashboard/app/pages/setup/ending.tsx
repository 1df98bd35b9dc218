import type { ComponentChildren, JSX } from "preact";

import { AWAY, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Code } from "../../components/copy.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { useResource } from "../../state/resource.ts";
import { setupWords } from "../../words/setup-words.ts";
import { firstKey } from "./first-key.ts";
import type { Shelter } from "./make-shelter.ts";
import { PasskeyOffer } from "./passkey-offer.tsx";
import { StepHead } from "./steps.tsx";

/** What there is now: the site, a line that works, and what to do next. */
export function Ending({ shelter }: { readonly shelter: Shelter }): JSX.Element {
  const { accountId, name, site, purpose } = shelter;
  const { end } = setupWords.words();
  const key = useResource(accountId, () => firstKey(shelter, end.keyName));
  const base = `/accounts/${accountId}`;
  return (
    <>
      <StepHead title={end.title} />
      {site !== undefined && (
        <Card title={end.site}>
          <p>
            {end.siteText(name)}{" "}
            <a href={site.url} {...AWAY}>
              {site.url}
            </a>
          </p>
          {purpose === "sample" && <p class="soft">{end.sampleSite}</p>}
          <div class="row">
            <ButtonLink href={site.url} away>
              {end.open}
            </ButtonLink>
          </div>
        </Card>
      )}
      <Card title={end.api}>
        <p>{purpose === "sample" ? end.listText : end.addText}</p>
        <Loaded resource={key} lines={3}>
          {({ line }) => <Code text={line} what={end.line} />}
        </Loaded>
      </Card>
      <Card title={end.next}>
        <ul class="stack tight">
          {purpose === "shelter" && <Next href={`${base}/animals`}>{end.animals}</Next>}
          {site !== undefined && <Next href={`/projects/${site.slug}/domains`}>{end.domain}</Next>}
          {purpose === "embed" && <Next href="/help/embedding">{end.embed}</Next>}
          {key.value !== undefined && (
            <Next href={`/docs#key=${key.value.key}`}>{end.reference}</Next>
          )}
        </ul>
        <div class="row">
          <ButtonLink look="primary" href={`${base}/overview`}>
            {end.overview}
          </ButtonLink>
        </div>
      </Card>
      <PasskeyOffer />
    </>
  );
}

function Next({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <li>
      <a href={href}>{children}</a>
    </li>
  );
}
