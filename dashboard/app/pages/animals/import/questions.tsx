import type { JSX } from "preact";

import type { Category } from "../../../../../lib/catalogue/model.ts";
import { animalSizes, sexes } from "../../../../../lib/catalogue/model-profile.ts";
import { petStatuses } from "../../../../../lib/catalogue/model-statuses.ts";
import type { ImportRequest } from "../../../../../lib/import/choices-schema.ts";
import { categoryFinder } from "../../../../../lib/import/species.ts";
import type { ShownFault, ShownPlan, ShownQuestion } from "../../../../../lib/import/plan-shown.ts";
import { Card } from "../../../components/page.tsx";
import { SelectField } from "../../../components/field.tsx";
import { importingWords } from "./words.ts";
import { words } from "../../../words/words.ts";
import { withColumn, withValue } from "./answers.ts";

interface Asked {
  readonly plan: ShownPlan;
  readonly request: ImportRequest;
  readonly categories: readonly Category[];
  readonly onAnswer: (request: ImportRequest) => void;
}

interface Option {
  readonly label: string;
  /** Absent for the first one, which is no answer. */
  readonly request?: ImportRequest;
}

/** Asks what is not understood, each with the answers that are possible. */
export function Questions(props: Asked): JSX.Element | null {
  const { plan } = props;
  const text = importingWords.words();
  const values = plan.faults.filter(({ code }) => code === "unknown_value");
  if (plan.questions.length + values.length + plan.warnings.length === 0) return null;
  const dates = plan.warnings.find(({ code }) => code === "ambiguous_dates");
  return (
    <Card title={text.questionsTitle}>
      {plan.questions.map((question) => (
        <Ask
          key={`${question.code} ${question.field}`}
          label={text.question(question)}
          options={questionOptions(question, props)}
          onAnswer={props.onAnswer}
        />
      ))}
      {values.map((fault) => (
        <Ask
          key={`${fault.field} ${fault.found}`}
          label={text.faultOf(fault)}
          hint={text.lines(fault.count, fault.lines)}
          options={valueOptions(fault, props)}
          onAnswer={props.onAnswer}
        />
      ))}
      {dates !== undefined && (
        <Ask
          label={text.datesAsked(dates.column ?? "", dates.sample)}
          options={(["day", "month"] as const).map((order) => ({
            label: text.dateOrders[order],
            request: { ...props.request, dates: order },
          }))}
          onAnswer={props.onAnswer}
        />
      )}
      {plan.warnings
        .filter(({ code }) => code === "photos")
        .map(({ count = 0 }) => (
          <p key="photos" class="soft">
            {text.photos(count)}
          </p>
        ))}
      {plan.warnings
        .filter(({ code }) => code === "unused_photos")
        .map(({ count = 0, names = [] }) => (
          <p key="unused">{text.unusedPhotos(count, names.slice(0, MAX_UNUSED))}</p>
        ))}
    </Card>
  );
}

/** The most pictures that are named because they belong to no animal. */
const MAX_UNUSED = 5;

/** A question with its answers in a list; without answers, a sentence. */
function Ask({
  label,
  hint,
  options,
  onAnswer,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly Option[];
  readonly onAnswer: (request: ImportRequest) => void;
}): JSX.Element {
  const text = importingWords.words();
  if (options.length === 0) return <p>{label}</p>;
  const all: readonly Option[] = [{ label: text.choosePlease }, ...options];
  return (
    <SelectField
      label={label}
      hint={hint}
      value="0"
      options={all.map((option, index) => ({ value: String(index), label: option.label }))}
      onInput={(chosen) => {
        const request = all[Number(chosen)]?.request;
        if (request !== undefined) onAnswer(request);
      }}
    />
  );
}

function questionOptions(question: ShownQuestion, { plan, request }: Asked): readonly Option[] {
  const text = importingWords.words();
  const { statuses } = words().common;
  const { code, field = "name" } = question;
  const among = code === "several_columns" ? (question.columns ?? []) : plan.columns;
  const columns = among.map(({ name, number }) => ({
    label: text.columnNamed(name, number),
    request: withColumn(request, code === "no_status" ? "status" : field, number),
  }));
  switch (code) {
    case "no_column":
    case "several_columns":
    case "no_such_column":
      return columns;
    case "no_status":
      return [
        ...petStatuses.map((status) => ({
          label: text.allAre(statuses[status]),
          request: withValue(request, "status", "", status),
        })),
        ...columns,
      ];
    case "alike":
      return [
        { label: text.alikeSkip, request: { ...request, alike: "skip" } },
        { label: text.alikeAdd, request: { ...request, alike: "add" } },
      ];
    case "missing_key":
    case "many_missing":
      return [
        ...(code === "many_missing"
          ? [
              {
                label: text.missingSell(question.count ?? 0),
                request: { ...request, manyMissing: true },
              },
            ]
          : []),
        { label: text.missingLeave, request: { ...request, missing: "leave" } },
      ];
    case "too_many_categories":
      return plan.columns.map(({ name, number }) => ({
        label: text.columnNamed(name, number),
        request: withColumn(request, "category", number),
      }));
  }
}

function valueOptions(
  { field = "name", found = "" }: ShownFault,
  { request, categories }: Asked,
): readonly Option[] {
  const text = importingWords.words();
  const { statuses } = words().common;
  const as = (label: string, value: string): Option => ({
    label,
    request: withValue(request, field, found, value),
  });
  const skip = as(text.skipRows, "skip");
  if (field === "status") {
    return [...petStatuses.map((status) => as(statuses[status], status)), skip];
  }
  if (field === "category") {
    const create = {
      label: text.createCategory(categoryFinder(categories).newName(found)),
      request: { ...request, createCategories: true },
    };
    return [
      ...(found === "" ? [] : [create]),
      ...categories.map(({ name }) => as(name, name)),
      skip,
    ];
  }
  if (field === "categoryId") return categories.map(({ id, name }) => as(name, String(id)));
  const labels: Readonly<Record<string, string>> =
    field === "sex" ? text.sexes : field === "size" ? text.sizes : text.answers;
  return [
    ...meaningsOf(field).map((word) => as(labels[word] ?? word, word)),
    as(text.leaveEmpty, ""),
  ];
}

/** Returns the words that a field with a closed set of meanings can have, and none for other fields. */
function meaningsOf(field: string): readonly string[] {
  if (field === "sex") return sexes;
  if (field === "size") return animalSizes;
  if (field.startsWith("goodWith")) return ["yes", "no", "unknown"];
  return /^(?:notGoodWith|neutered|mixedBreed|purebred)/.test(field) ? ["yes", "no"] : [];
}
