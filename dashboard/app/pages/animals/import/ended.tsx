import type { JSX } from "preact";

import type { Category } from "../../../../../lib/model/category.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { Notice, Refusal } from "../../../components/notice.tsx";
import { importingWords } from "../../../words/importing-words.ts";
import { isCertain } from "./bring.ts";
import { Faults } from "./faults.tsx";
import type { Seen } from "./look.ts";

/** What came of an import, and how to go on where it did not come to its end. */
export function Ended({
  seen: { end, report },
  added,
  onSites,
  categories,
  animalsHref,
  onGoOn,
  onAnother,
}: {
  readonly seen: Seen;
  /** Of the whole file, attempts before this one included. */
  readonly added: number;
  /** Visitors see them. */
  readonly onSites: boolean;
  readonly categories: readonly Category[];
  readonly animalsHref: string;
  readonly onGoOn: (fromLine: number) => void;
  readonly onAnother: () => void;
}): JSX.Element {
  const said = importingWords.words();
  const whole = end.kind === "done";
  const from = end.kind === "stopped" || end.kind === "cancelled" ? end.from : undefined;
  return (
    <>
      <Notice tone={whole ? (added > 0 ? "good" : "plain") : "warn"} live="status">
        <h2>{whole ? said.done(added) : said.stopped(added)}</h2>
        {whole && onSites && added > 0 && <p>{said.doneText}</p>}
        {whole && end.failed > 0 && <p>{said.leftOut(end.failed)}</p>}
        {end.kind === "stopped" && !isCertain(end) ? (
          <p>{said.unsure(end.from, end.to)}</p>
        ) : (
          from !== undefined && <p>{said.stoppedText(from)}</p>
        )}
      </Notice>
      {end.kind === "stopped" && <Refusal problem={end.problem} />}
      <div class="row">
        {from !== undefined && (
          <Button look="primary" onClick={() => onGoOn(from)}>
            {said.goOn(from)}
          </Button>
        )}
        <ButtonLink {...(whole ? { look: "primary" } : {})} href={animalsHref}>
          {said.toAnimals}
        </ButtonLink>
        <Button onClick={onAnother}>{said.another}</Button>
      </div>
      <Faults faults={report.faults.all} count={end.failed} categories={categories} />
    </>
  );
}
