import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { Category } from "../../../../../lib/model/category.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Progress } from "../../../components/progress.tsx";
import { inEnvironment } from "../../../state/environment.ts";
import { importingWords } from "../../../words/importing-words.ts";
import type { Where } from "../catalogue.ts";
import { Choose } from "./choose.tsx";
import { Ended } from "./ended.tsx";
import { Looked } from "./looked.tsx";
import { useImport } from "./use-import.ts";

/** What an import shows at each of its steps. */
export function Steps(props: {
  readonly where: Where;
  readonly categories: readonly Category[];
  /** Categories were added. */
  readonly onCreated: () => void;
}): JSX.Element {
  const { stage, choose, add, stop, restart } = useImport(props);
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(stage.at);
  useEffect(() => {
    if (shown.current === stage.at) return;
    shown.current = stage.at;
    // The button that was pressed is gone: the keyboard goes on here.
    place.current?.focus();
  }, [stage.at]);

  const { where, categories } = props;
  const { account, environment } = where;
  const said = importingWords.words();
  const view = (): JSX.Element => {
    switch (stage.at) {
      case "choosing":
        return <Choose categories={categories} fault={stage.fault} onChoose={choose} />;
      case "looking":
      case "adding":
        return (
          <Card>
            <Progress
              label={stage.at === "adding" ? said.adding : said.checking(stage.file.name)}
              done={stage.progress.bytes}
              total={stage.file.size}
            >
              {said.soFar(stage.progress.rows)}
            </Progress>
            <div class="row">
              <Button onClick={stop}>{said.cancel}</Button>
            </div>
          </Card>
        );
      case "looked":
        return (
          <Looked
            environment={environment}
            categories={categories}
            file={stage.file}
            report={stage.seen.report}
            ignored={stage.seen.ignored}
            onStart={(create) => add(stage, { create })}
            onAnother={restart}
          />
        );
      case "ended": {
        const { seen, create } = stage;
        const added = stage.before + seen.end.added;
        return (
          <Ended
            seen={seen}
            added={added}
            onSites={environment === "production"}
            categories={categories}
            animalsHref={`/accounts/${account.id}/animals${inEnvironment(environment)}`}
            onGoOn={(fromLine) => add(stage, { create, fromLine, before: added })}
            onAnother={restart}
          />
        );
      }
    }
  };
  return (
    <div ref={place} class="stack wide quiet-focus" tabIndex={-1}>
      {view()}
    </div>
  );
}
