import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";

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
export function Ending({
  shelter,
  again,
}: {
  readonly shelter: Shelter;
  /** It was shown before: a key is shown once, and no other one is made for a page that is loaded again. */
  readonly again: boolean;
}): JSX.Element {
  const { accountId, name, site, purpose } = shelter;
  const { end } = setupWords.words();
  const key = useSignal<string | undefined>(undefined);
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
      {!again && <ApiCard shelter={shelter} onKey={(made) => (key.value = made)} />}
      <Card title={end.next}>
        <ul class="stack tight">
          {purpose === "shelter" && <Next href={`${base}/animals`}>{end.animals}</Next>}
          {site !== undefined && <Next href={`/projects/${site.slug}/domains`}>{end.domain}</Next>}
          {purpose === "embed" && <Next href="/help/embedding">{end.embed}</Next>}
          {(again || key.value !== undefined) && (
            <Next href={key.value === undefined ? "/docs" : `/docs#key=${key.value}`}>
              {end.reference}
            </Next>
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

/** A line that works, with a key that is made for it. */
function ApiCard({
  shelter,
  onKey,
}: {
  readonly shelter: Shelter;
  readonly onKey: (key: string) => void;
}): JSX.Element {
  const { end } = setupWords.words();
  const made = useResource(shelter.accountId, () => firstKey(shelter, end.keyName));
  const secret = made.value?.key;
  useEffect(() => {
    if (secret !== undefined) onKey(secret);
  }, [secret]);
  return (
    <Card title={end.api}>
      <p>{shelter.purpose === "sample" ? end.listText : end.addText}</p>
      <Loaded resource={made} lines={3}>
        {({ line }) => <Code text={line} what={end.line} />}
      </Loaded>
    </Card>
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
