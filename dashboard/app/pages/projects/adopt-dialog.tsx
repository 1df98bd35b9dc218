import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { SECOND_MS } from "../../../../lib/base/clock.ts";
import { done, type Result } from "../../../../lib/base/result.ts";
import { animalPlace } from "../../../../lib/publishing/model/animal-files.ts";
import { call, type Output, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Loaded, Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { Progress } from "../../components/indicators.tsx";
import { useResource } from "../../state/resource.ts";
import { deploysWords } from "./deploys-words.ts";
import { words } from "../../words/words.ts";

type Skipped = Output<"POST /projects/:project/adopt">["skipped"];

/** What became of the files of the animals. */
interface Adopted {
  /** How many files are in profiles now. */
  readonly count: number;
  readonly skipped: Skipped;
}

interface Live {
  readonly project: string;
  readonly deploy: string;
}

/** Moves the photos and texts of animals from the live deploy into profiles: asks, shows the progress, and what stays. */
export function AdoptDialog({
  onDone,
  onClose,
  ...live
}: Live & { readonly onDone: () => void; readonly onClose: () => void }): JSX.Element {
  const { project, deploy } = live;
  const text = deploysWords.words().adopt;
  const { common } = words();
  const files = useResource(deploy, () =>
    call("GET /projects/:project/deploys/:deploy/files", { project, deploy }),
  );
  const moved = useSignal(0);
  const result = useSignal<Adopted | undefined>(undefined);
  const stopped = useRef(false);
  const { busy, problem, run } = useAttempt();
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const animals = animalsWithFiles(files.value ?? []);
  const may = animals.length > 0 && result.value === undefined;
  const start = (): void => {
    void run(
      () =>
        adopt(live, {
          isStopped: () => stopped.current,
          onReached: (next) => {
            moved.value = animals.filter((id) => id <= next).length;
          },
        }),
      (adopted) => {
        result.value = adopted;
        onDone();
      },
    );
  };
  return (
    <Dialog
      title={result.value === undefined ? text.title : text.titleDone}
      {...(may && { action: text.action, onSubmit: start })}
      busy={busy}
      onClose={onClose}
    >
      {result.value === undefined ? (
        <Loaded resource={files} lines={2}>
          {() =>
            animals.length === 0 ? (
              <p>{text.nothing}</p>
            ) : (
              <>
                <p>{text.text(animals.length)}</p>
                <p class="soft">{text.undo}</p>
              </>
            )
          }
        </Loaded>
      ) : (
        <Outcome {...result.value} />
      )}
      {busy && (
        <Progress label={text.running} done={moved.value} total={animals.length}>
          {text.progress(moved.value, animals.length)}
        </Progress>
      )}
      <Refusal problem={problem} />
      {!may && (
        <div class="actions">
          <Button onClick={onClose}>{common.close}</Button>
        </div>
      )}
    </Dialog>
  );
}

/** The most files named that stay. */
const MAX_NAMED = 50;

function Outcome({ count, skipped }: Adopted): JSX.Element {
  const text = deploysWords.words();
  const more = skipped.length - MAX_NAMED;
  return (
    <>
      <p role="status">{text.adopt.done(count)}</p>
      {skipped.length > 0 && (
        <>
          <p>{text.adopt.skipped(skipped.length)}</p>
          <ul class="stack tight">
            {skipped.slice(0, MAX_NAMED).map(({ path, message }) => (
              <li key={path}>
                <span class="mono">{path}</span>
                <br />
                <span class="soft small" lang="en">
                  {message}
                </span>
              </li>
            ))}
          </ul>
          {more > 0 && <p class="soft small">{text.andMore(more)}</p>}
        </>
      )}
    </>
  );
}

/** Returns the numbers of the animals that have a photo or a text in the deploy. */
function animalsWithFiles(files: readonly { readonly path: string }[]): readonly number[] {
  const ids = files.flatMap(({ path }) => {
    const place = animalPlace(path);
    return place === undefined || place.kind === "unused" ? [] : [place.id];
  });
  return [...new Set(ids)];
}

/** Copies the files of all animals, some at a time, then removes them from the site. Resolves with undefined if stopped. */
async function adopt(
  { project, deploy }: Live,
  {
    isStopped,
    onReached,
  }: { readonly isStopped: () => boolean; readonly onReached: (animal: number) => void },
): Promise<Result<Adopted, Problem> | undefined> {
  const paths: string[] = [];
  const skipped: Skipped[number][] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: Result<Output<"POST /projects/:project/adopt">, Problem> = await call(
      "POST /projects/:project/adopt",
      { project, body: { after } },
    );
    if (isStopped()) return undefined;
    if (!page.ok) {
      const seconds = page.failure.retryAfterSeconds;
      if (seconds === undefined) return page;
      await new Promise((resolve) => {
        window.setTimeout(resolve, seconds * SECOND_MS);
      });
      continue;
    }
    paths.push(...page.value.adopted);
    skipped.push(...page.value.skipped);
    after = page.value.next;
    onReached(after ?? Infinity);
  }
  const finished = await call("POST /projects/:project/adopt/finish", {
    project,
    body: { paths, deploy },
  });
  return finished.ok ? done({ count: paths.length, skipped }) : finished;
}
