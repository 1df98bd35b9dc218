import type { JSX } from "preact";

import type { ImportRequest } from "../../../../../lib/import/choices-schema.ts";
import { importFields, type ImportField } from "../../../../../lib/import/fields.ts";
import type { ShownPlan } from "../../../../../lib/import/plan-shown.ts";
import { Card } from "../../../components/page.tsx";
import { Table } from "../../../components/table.tsx";
import { number } from "../../../words/format.ts";
import { importingWords } from "./words.ts";
import { withField } from "./answers.ts";

/** Shows what each column is used for, with some of its values, and lets the person change it. */
export function MappingTable({
  plan,
  request,
  onAnswer,
}: {
  readonly plan: ShownPlan;
  readonly request: ImportRequest;
  readonly onAnswer: (request: ImportRequest) => void;
}): JSX.Element {
  const text = importingWords.words();
  return (
    <Card title={text.mappingTitle} bare>
      <Table
        label={text.mappingTitle}
        columns={[
          { name: text.columnHeading, cell: "lead" },
          { name: text.fieldHeading, cell: "control" },
          text.samplesHeading,
          { name: text.filledHeading, cell: "number" },
        ]}
        rows={plan.columns.map((column) => {
          const { name, number: at, fields, samples, filled } = column;
          return {
            key: at,
            cells: [
              text.columnNamed(name, at),
              <FieldSelect
                key="field"
                label={text.fieldOf(text.columnNamed(name, at))}
                value={fields[0]}
                onInput={(field) => {
                  onAnswer(withField(request, at, fields, field));
                }}
              />,
              samples.map((sample) => sample.slice(0, 40)).join(" · "),
              number(filled),
            ],
          };
        })}
      />
    </Card>
  );
}

function FieldSelect({
  label,
  value,
  onInput,
}: {
  readonly label: string;
  readonly value: ImportField | undefined;
  readonly onInput: (field: ImportField | undefined) => void;
}): JSX.Element {
  const text = importingWords.words();
  return (
    <select
      class="input"
      aria-label={label}
      value={value ?? ""}
      onInput={(event) => {
        const { value: chosen } = event.currentTarget;
        onInput(importFields.find((field) => field === chosen));
      }}
    >
      <option value="" selected={value === undefined}>
        {text.notImported}
      </option>
      {importFields.map((field) => (
        <option key={field} value={field} selected={field === value}>
          {text.fields[field]}
        </option>
      ))}
    </select>
  );
}
