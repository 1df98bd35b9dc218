import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { Account } from "../../../../lib/model/account.ts";
import type { Category } from "../../../../lib/model/category.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Notice } from "../../components/notice.tsx";
import { Progress } from "../../components/progress.tsx";
import { inEnvironment, useEnvironment } from "../../state/environment.ts";
import { inAccount } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { importingWords } from "../../words/importing-words.ts";
import { useCategories, type Where } from "./catalogue.ts";
import { bring, type Bringing } from "./import/bring.ts";
import { Choose } from "./import/choose.tsx";
import { Ended } from "./import/ended.tsx";
import { kindOf, MAX_FILE_BYTES } from "./import/file-bytes.ts";
import { look, type Seen } from "./import/look.ts";
import { Looked } from "./import/looked.tsx";
import type { Chosen, FileFault, Progress as Far, Stage } from "./import/stage.ts";
import { AnimalSection } from "./section.tsx";

/** Takes animals from a file: looks at it first, says what is wrong by its lines, then adds what is right. */
export const ImportAnimals = inAccount(importingWords.within(ImportView));

function ImportView({ account }: { readonly account: Account }): JSX.Element {
  const environment = useEnvironment();
  const where = { account, environment };
  const categories = useCategories(where);
  const said = importingWords.words();
  return (
    <AnimalSection account={account} title={said.title} about={said.about}>
      {mayChange.value ? (
        <Loaded resource={categories}>
          {(known) => (
            <Steps
              key={environment}
              where={where}
              categories={known}
              onChanged={() => void categories.reload()}
            />
          )}
        </Loaded>
      ) : (
        <Notice>
          <p>{said.viewerText}</p>
        </Notice>
      )}
    </AnimalSection>
  );
}

function Steps({
  where,
  categories,
  onChanged,
}: {
  readonly where: Where;
  readonly categories: readonly Category[];
  /** Categories may have been added. */
  readonly onChanged: () => void;
}): JSX.Element {
  const stage = useSignal<Stage>({ at: "choosing" });
  const control = useRef(new AbortController());
  const said = importingWords.words();
  useEffect(() => () => control.current.abort(), []);
  useUnloadWarning(stage.value.at === "adding");

  const refuse = (fault?: FileFault): void => {
    stage.value = fault === undefined ? { at: "choosing" } : { at: "choosing", fault };
  };
  /** Resolves with undefined where the file cannot be read to its end. */
  const work = async (
    at: "looking" | "adding",
    { file, format }: Chosen,
    run: (job: Parameters<typeof look>[0]) => Promise<Seen>,
  ): Promise<Seen | undefined> => {
    control.current = new AbortController();
    const { signal } = control.current;
    const onProgress = (rows: number, bytes: number): void => {
      stage.value = { at, file, format, progress: { rows, bytes } };
    };
    onProgress(0, 0);
    try {
      return await run({ file, format, where, categories, signal, onProgress });
    } catch {
      refuse({ code: "unreadable" });
      return undefined;
    }
  };
  const lookAt = async (file: File): Promise<void> => {
    const format = kindOf(file.name);
    if (format === "workbook") return refuse({ code: "workbook" });
    if (file.size > MAX_FILE_BYTES) return refuse({ code: "too_large", bytes: file.size });
    const seen = await work("looking", { file, format }, look);
    if (seen === undefined) return undefined;
    const { end, report } = seen;
    if (end.kind === "unreadable") return refuse({ code: "header", header: end.header });
    if (end.kind === "cancelled") return refuse();
    if (end.kind === "stopped") return refuse({ code: "refused", problem: end.problem });
    if (report.right + report.waiting + report.wrong === 0) return refuse({ code: "empty" });
    stage.value = { at: "looked", file, format, seen };
    return undefined;
  };
  const add = async (chosen: Chosen, bringing: Bringing, before: number): Promise<void> => {
    const seen = await work("adding", chosen, (job) => bring(job, bringing));
    if (seen === undefined) return;
    const { file, format } = chosen;
    stage.value = { at: "ended", file, format, seen, create: bringing.create, before };
    if (bringing.create.length > 0) onChanged();
  };

  const now = stage.value;
  const another = (): void => refuse();
  switch (now.at) {
    case "choosing":
      return (
        <Choose categories={categories} fault={now.fault} onChoose={(file) => void lookAt(file)} />
      );
    case "looking":
    case "adding":
      return (
        <Card>
          <Progress
            label={now.at === "adding" ? said.adding : said.checking(now.file.name)}
            {...shareOf(now.progress, now.file)}
          >
            {said.soFar(now.progress.rows)}
          </Progress>
          <div class="row">
            <Button onClick={() => control.current.abort()}>{said.cancel}</Button>
          </div>
        </Card>
      );
    case "looked":
      return (
        <Looked
          environment={where.environment}
          categories={categories}
          file={now.file}
          report={now.seen.report}
          onStart={(create) => void add(now, { create, fromLine: 1 }, 0)}
          onAnother={another}
        />
      );
    case "ended":
      return (
        <Ended
          seen={now.seen}
          categories={categories}
          animalsHref={`/accounts/${where.account.id}/animals${inEnvironment(where.environment)}`}
          added={now.before + now.seen.end.added}
          onSites={where.environment === "production"}
          onGoOn={(fromLine) =>
            void add(now, { create: now.create, fromLine }, now.before + now.seen.end.added)
          }
          onAnother={another}
        />
      );
  }
}

function shareOf(
  { bytes }: Far,
  { size }: File,
): { readonly done: number; readonly total: number } {
  return { done: bytes, total: size };
}

/** Has the browser ask before the page is left. */
function useUnloadWarning(needed: boolean): void {
  useEffect(() => {
    if (!needed) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [needed]);
}
