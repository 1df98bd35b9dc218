import { signal } from "@preact/signals";
import type { JSX } from "preact";

import type { PetstoreOperations } from "../../../../domains/operations.ts";
import { call } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Notice } from "../../components/feedback.tsx";
import { useResource } from "../../state/resource.ts";
import { deploysWords } from "./deploys-words.ts";

type Gone = PetstoreOperations["GET /projects/:project/deploys/:deploy/diff"]["output"]["gone"];

/** How the user wants to publish a deploy that lacks files of the live site. */
export type Publishing = "replace" | "add" | "not";

const asked = signal<
  { readonly gone: Gone; readonly answer: (how: Publishing) => void } | undefined
>(undefined);

/** Asks how to publish a deploy, if files of the live site would disappear. */
export async function askAboutGone(gone: Gone): Promise<Publishing> {
  if (gone.files === 0) return "replace";
  const how = await new Promise<Publishing>((resolve) => {
    asked.value = { gone, answer: resolve };
  });
  asked.value = undefined;
  return how;
}

/** The question about files that would disappear; rendered once on the page. */
export function GoneQuestion(): JSX.Element | null {
  const question = asked.value;
  if (question === undefined) return null;
  const { gone, answer } = question;
  const text = deploysWords.words();
  return (
    <Dialog
      title={text.goneTitle}
      action={text.publishAnyway}
      look="danger"
      further={<Button onClick={() => answer("add")}>{text.addToLive}</Button>}
      onSubmit={() => answer("replace")}
      onClose={() => answer("not")}
    >
      <p>{text.goneText}</p>
      <GoneList gone={gone} />
      <p class="soft small">{text.addToLiveHint}</p>
    </Dialog>
  );
}

function GoneList({ gone }: { readonly gone: Gone }): JSX.Element {
  const text = deploysWords.words();
  const { files, photosOf, textsOf, siteFile } = gone;
  return (
    <ul>
      <li>{text.goneFiles(files)}</li>
      {photosOf > 0 && <li>{text.gonePhotos(photosOf)}</li>}
      {textsOf > 0 && <li>{text.goneTexts(textsOf)}</li>}
      {siteFile && <li>{text.goneSettings}</li>}
    </ul>
  );
}

/** The most unused files named. */
const MAX_NAMED = 8;

/** Says what a new deploy has removed, and which of its files the storefront does not use. */
export function DeployNotes({
  projectId,
  deployId,
  live,
}: {
  readonly projectId: string;
  readonly deployId: string;
  readonly live: boolean;
}): JSX.Element | null {
  const text = deploysWords.words();
  const diff = useResource(`${deployId} ${live}`, () =>
    call("GET /projects/:project/deploys/:deploy/diff", { project: projectId, deploy: deployId }),
  ).value;
  if (diff === undefined) return null;
  const { gone, unused } = diff;
  const more = unused.length - MAX_NAMED;
  return (
    <>
      {live && gone.files > 0 && (
        <Notice>
          <p>{text.goneBefore}</p>
          <GoneList gone={gone} />
        </Notice>
      )}
      {unused.length > 0 && (
        <Notice>
          <p>{text.unused(unused.length)}</p>
          <ul class="stack tight">
            {unused.slice(0, MAX_NAMED).map(({ path, reason }) => (
              <li key={path}>
                <span class="mono">{path}</span>
                <br />
                <span class="soft small">{text.unusedReasons[reason]}</span>
              </li>
            ))}
          </ul>
          {more > 0 && <p class="soft small">{text.andMore(more)}</p>}
        </Notice>
      )}
    </>
  );
}
