import type { JSX } from "preact";

import type { ExplanationView } from "../../../../../lib/management/domain-view.ts";
import { Notice, type Tone } from "../../../components/notice.tsx";
import { domainWords } from "../../../words/domain-words.ts";
import { findingTold, titleOf, typeTold } from "../told.ts";
import { outlookOf, type Outlook } from "./outlook.ts";
import type { Preview } from "./use-preview.ts";

const TONES: Readonly<Record<Outlook, Tone>> = {
  clear: "good",
  changes: "plain",
  obstacles: "warn",
  unknown: "plain",
};

/** What awaits whoever adds a name, told before it is added. */
export function OutlookView({ preview }: { readonly preview: Preview }): JSX.Element {
  const { view } = domainWords.words();
  const { looking, explanation } = preview;
  return (
    <div class="outlook" role="status">
      {looking && (
        <p class="row soft">
          <span class="spin" aria-hidden="true" /> {view.previewing}
        </p>
      )}
      {explanation !== undefined && <Told explanation={explanation} />}
    </div>
  );
}

function Told({ explanation }: { readonly explanation: ExplanationView }): JSX.Element {
  const { view } = domainWords.words();
  const { provider, nameServers, records, obstacles, changes, lookAlike } = explanation;
  const outlook = outlookOf(explanation);
  const texts = {
    clear: view.previewClear,
    changes: view.previewChanges,
    obstacles: view.previewObstacles,
    unknown: view.previewUnknown,
  };
  const [record] = records;
  const told = [...obstacles, ...changes].filter(({ code }) => code !== "no_record");
  return (
    <div class="stack tight">
      {lookAlike !== null && (
        <Notice tone="warn">
          <p>{view.lookAlikes[lookAlike]}</p>
        </Notice>
      )}
      <Notice tone={TONES[outlook]}>
        <p>
          <b>{texts[outlook]}</b>
        </p>
        <p>
          {provider === null
            ? nameServers.length > 0 && view.previewServers(nameServers.slice(0, 4).join(", "))
            : view.previewProvider(provider.name)}{" "}
          {record !== undefined &&
            (record.name === "@"
              ? view.previewAlias(typeTold(record))
              : view.previewRecord(typeTold(record), record.name))}
        </p>
        {told.length > 0 && (
          <ul class="dots">
            {told.map((finding) => (
              <li key={`${finding.code} ${finding.server ?? ""}`}>
                <b>{titleOf(finding.code) ?? finding.code}.</b> {findingTold(finding).observed}
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}
