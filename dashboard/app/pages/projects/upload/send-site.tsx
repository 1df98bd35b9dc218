import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

import type { ProjectView } from "../../../../../lib/publishing/shapes/projects.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { Notice, Refusal } from "../../../components/feedback.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Progress } from "../../../components/indicators.tsx";
import { Card } from "../../../components/page.tsx";
import { useUnsaved } from "../../../components/unsaved.ts";
import { deploysWords } from "../deploys-words.ts";
import type { DeployActions } from "../deploy-actions.ts";
import { PreviewLink } from "../deploys.tsx";
import { DeployNotes } from "../gone.tsx";
import { previewOf } from "../project-page.tsx";
import { Review, SiteDropZone } from "./choose-site.tsx";
import { createSender, type Sender, type Sending } from "./sending.ts";

/** Uploads a site and shows each step. */
export function SendSite({
  project,
  onChange,
  publish,
  onStarter,
}: {
  readonly project: ProjectView;
  /** A deploy was created or refused. */
  readonly onChange: () => void;
  readonly publish: DeployActions["publish"];
  readonly onStarter: () => void;
}): JSX.Element {
  const deploys = deploysWords.words();
  // The actions are made again whenever another deploy becomes live.
  const latest = useRef(publish);
  latest.current = publish;
  const sender = useMemo(
    () => createSender(project.id, { onChange, publish: (id) => latest.current(id) }),
    [project.id],
  );
  const { step } = sender.state.value;
  const busy = step === "packing" || step === "sending" || step === "processing";
  useUnsaved(busy || step === "asking");
  useEffect(() => () => sender.reset(), [sender]);

  const place = useRef<HTMLDivElement>(null);
  const begun = useRef(false);
  useEffect(() => {
    begun.current ||= step !== "nothing";
    // The focused element is gone with its step.
    if (begun.current && document.activeElement === document.body) place.current?.focus();
  }, [step]);

  return (
    <Card
      title={deploys.send}
      actions={
        project.liveDeploy?.source === "archive" && (
          <Button small look="quiet" onClick={onStarter}>
            {deploys.starter.action}
          </Button>
        )
      }
    >
      <div ref={place} class="stack" tabIndex={-1}>
        <Step sender={sender} state={sender.state.value} project={project} />
      </div>
    </Card>
  );
}

function Step({
  sender,
  state,
  project,
}: {
  readonly sender: Sender;
  readonly state: Sending;
  readonly project: ProjectView;
}): JSX.Element {
  const deploys = deploysWords.words();
  const zone = (
    <SiteDropZone
      onDrop={(entries) => void sender.drop(entries)}
      onChoose={(files) => void sender.choose(files)}
    />
  );
  const stop = (
    <p>
      <Button small onClick={sender.reset}>
        {deploys.stop}
      </Button>
    </p>
  );
  switch (state.step) {
    case "nothing":
      return zone;
    case "looking":
      return <Progress label={deploys.looking(state.found)} />;
    case "asking":
      return (
        <Review
          parcel={state.parcel}
          onSend={(how) => void sender.send(how)}
          onCancel={sender.reset}
        />
      );
    case "packing":
    case "sending":
      return (
        <>
          <Progress label={deploys[state.step]} done={state.done} total={state.total}>
            {deploys.sent(state.done, state.total)}
          </Progress>
          {stop}
        </>
      );
    case "processing":
      return (
        <>
          <Progress label={deploys.processing}>
            {state.files > 0 && deploys.size(state.files, state.bytes)}
          </Progress>
          {stop}
        </>
      );
    case "made": {
      const { id, state: became, files, bytes } = state.deploy;
      const live = became === "live";
      return (
        <>
          <Notice tone="good" live="status">
            <p>
              <strong>{live ? deploys.nowLive : deploys.nowReady}</strong>{" "}
              <span class="soft">{deploys.size(files, bytes)}</span>
            </p>
            <p class="row">
              {live ? (
                <ButtonLink small away href={project.url}>
                  {deploys.open} <Icon name="away" />
                </ButtonLink>
              ) : (
                <PreviewLink href={previewOf(project, id)} />
              )}
              {!live && (
                <Button small look="primary" onClick={() => void sender.publish()}>
                  {deploys.publish}
                </Button>
              )}
            </p>
          </Notice>
          <DeployNotes projectId={project.id} deployId={id} live={live} />
          {zone}
        </>
      );
    }
    case "refused":
      return (
        <>
          <Refusal problem={state.problem} />
          <p class="soft small">{deploys.refused}</p>
          {zone}
        </>
      );
  }
}
