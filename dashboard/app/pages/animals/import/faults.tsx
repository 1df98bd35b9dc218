import type { JSX } from "preact";

import { csvRow } from "../../../../../lib/base/csv.ts";
import type { ImportFault } from "../../../../../lib/management/pet-import.ts";
import type { Category } from "../../../../../lib/model/category.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { download } from "../../../components/download.ts";
import { number } from "../../../words/format.ts";
import { importingWords } from "../../../words/importing-words.ts";
import { faultText } from "./fault-text.ts";

/** As many as are read on a screen; the list has more. */
const SHOWN = 50;

/** Which rows are left out, and why. */
export function Faults({
  faults,
  count,
  categories,
}: {
  readonly faults: readonly ImportFault[];
  /** Of all of them: not every one is remembered. */
  readonly count: number;
  readonly categories: readonly Category[];
}): JSX.Element | null {
  const said = importingWords.words();
  if (count === 0) return null;
  const save = (): void => {
    const rows = faults.map((one) => csvRow([one.line, faultText(one, said, categories)]));
    download("import-faults.csv", "text/csv", ["\uFEFF", csvRow([said.line, said.fault]), ...rows]);
  };
  return (
    <Card
      title={said.faultsTitle}
      bare
      actions={
        <Button small onClick={save}>
          {said.downloadFaults}
        </Button>
      }
    >
      <div class="table-wrap">
        <table class="table">
          <thead>
            <tr>
              <th scope="col" class="number">
                {said.line}
              </th>
              <th scope="col">{said.fault}</th>
            </tr>
          </thead>
          <tbody>
            {faults.slice(0, SHOWN).map((one) => (
              <tr key={one.line}>
                <td class="number">{number(one.line)}</td>
                <td>{faultText(one, said, categories)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > SHOWN && (
        <footer class="soft small">
          {said.moreFaults(count - Math.min(SHOWN, faults.length))}
        </footer>
      )}
    </Card>
  );
}
