import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";

import { DAY_MS } from "../../../../lib/base/clock.ts";
import { call, type Problem, type Result } from "../../api.ts";
import { AWAY, Button, ButtonLink } from "../../components/button.tsx";
import { Code } from "../../components/copy.tsx";
import { Loaded, Notice } from "../../components/feedback.tsx";
import { Card } from "../../components/page.tsx";
import { askedAddresses } from "../../state/api-addresses.ts";
import { useResource } from "../../state/resource.ts";
import { profileWords } from "../../words/late.tsx";
import { setupWords } from "./words.ts";
import { AddPasskey } from "../profile/add-passkey.tsx";
import type { Purpose, Shelter } from "./make-shelter.ts";
import { StepHead } from "./steps.tsx";

/** The result of the setup: the site, a first API call and the next steps. */
export function Ending({
  shelter,
  again,
}: {
  readonly shelter: Shelter;
  /** The page was reloaded: the key is not shown again. */
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
          {purpose === "shelter" && <Next href={`${base}/import`}>{end.import}</Next>}
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

/** Creates a key and shows a command that uses it. */
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

interface FirstKey {
  /** The bearer token: a secret. */
  readonly key: string;
  /** A command for a terminal. */
  readonly line: string;
}

/** Creates a staging key that expires in a day, and a command that uses it. */
async function firstKey(
  { accountId, purpose }: { readonly accountId: string; readonly purpose: Purpose },
  name: string,
): Promise<Result<FirstKey, Problem>> {
  const made = await call("POST /accounts/:account/keys", {
    account: accountId,
    body: { name, environment: "staging", expiresInMs: DAY_MS },
  });
  if (!made.ok) return made;
  const { key } = made.value;
  const { staging } = await askedAddresses();
  return { ok: true, value: { key, line: lineFor(purpose, key, staging) } };
}

function lineFor(purpose: Purpose, key: string, staging: string): string {
  const bearer = `-H 'Authorization: Bearer ${key}'`;
  if (purpose === "sample") return `curl ${bearer} '${staging}/pets?limit=3'`;
  const rex = `-H 'Content-Type: application/json' -d '{"name":"Rex","categoryId":1}'`;
  return `curl ${bearer} ${rex} ${staging}/pets`;
}

/** Offers to add a passkey, if the browser and the address support it. */
function PasskeyOffer(): JSX.Element | null {
  const ways = useResource("sign-in", () => call("GET /sign-in"));
  const adding = useSignal(false);
  const added = useSignal<string | undefined>(undefined);
  const { passkeys } = profileWords.words();
  if (ways.value?.passkeys !== true || !("PublicKeyCredential" in window)) return null;
  return (
    <Card title={passkeys.title}>
      <p class="soft">{passkeys.about}</p>
      {added.value === undefined ? (
        <div class="row">
          <Button onClick={() => (adding.value = true)}>{passkeys.add}</Button>
        </div>
      ) : (
        <Notice tone="good" live="status">
          <p>{passkeys.added(added.value)}</p>
        </Notice>
      )}
      {adding.value && (
        <AddPasskey
          onAdded={({ name }) => {
            adding.value = false;
            added.value = name;
          }}
          onClose={() => (adding.value = false)}
        />
      )}
    </Card>
  );
}
