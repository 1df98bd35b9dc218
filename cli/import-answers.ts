import type {
  ImportRequest,
  ImportView,
  ShownFault,
  ShownPlan,
  ShownQuestion,
} from "../lib/management/index.ts";
import { quoted } from "../settings/values.ts";
import { grouped } from "./import-texts.ts";

/** A question to the person at the terminal. */
export interface Asked {
  readonly text: string;
  /** Returns what the typed text says; undefined if it is none of the choices, and "stop" if the person wants no import. */
  readonly answer: (typed: string) => Partial<ImportRequest> | "stop" | undefined;
}

/** An import that waits for answers. */
interface Waiting {
  readonly imported: ImportView;
  readonly plan: ShownPlan | undefined;
}

/** Returns the next thing to ask about a file; undefined if no answer helps. */
export function nextQuestion(
  { imported, plan }: Waiting,
  categories: readonly string[],
): Asked | undefined {
  if (plan === undefined) return encodingQuestion(imported);
  const [question] = plan.questions;
  if (question !== undefined) return columnQuestion(question, plan);
  const unknown = plan.faults.find((fault) => fault.code === "unknown_value" && canMean(fault));
  if (unknown !== undefined) return valueQuestion(unknown, categories);
  return goodRowsQuestion(plan);
}

/** Adds an answer to what was said before. */
export function withAnswer(
  request: ImportRequest,
  { map = [], values = [], ...answer }: Partial<ImportRequest>,
): ImportRequest {
  const others = (request.map ?? []).filter(({ field }) => !map.some((one) => one.field === field));
  return {
    ...request,
    ...answer,
    ...(others.length + map.length > 0 && { map: [...others, ...map] }),
    ...((request.values ?? []).length + values.length > 0 && {
      values: [...(request.values ?? []), ...values],
    }),
  };
}

function encodingQuestion({ problem }: ImportView): Asked | undefined {
  if (problem === undefined || !problem.message.includes("--encoding windows-1252")) {
    return undefined;
  }
  const text = problem.message.replace(/ If that is right, .*/su, "");
  return {
    text: `${text}\nRead it as Windows-1252? [y/N]`,
    answer: ifYes({ encoding: "windows-1252" }),
  };
}

/** Returns the answer of a question that is yes, or ends the import. */
function ifYes(answer: Partial<ImportRequest>): Asked["answer"] {
  return (typed) => (isYes(typed) ? answer : "stop");
}

function isYes(typed: string): boolean {
  return /^y(?:es)?$/iu.test(typed);
}

function columnQuestion(
  { code, message, field, columns = [], count }: ShownQuestion,
  plan: ShownPlan,
): Asked {
  const all = plan.columns.filter(({ filled }) => filled > 0);
  switch (code) {
    case "no_column":
    case "several_columns":
    case "no_such_column":
      return choiceOf(message, field ?? "name", code === "several_columns" ? columns : all);
    case "too_many_categories":
      return choiceOf(message, "category", all);
    case "no_status": {
      const { text, answer } = choiceOf(message, "status", columns);
      return {
        text: `${text} If no column has it, all animals are: a available, p pending, s sold.`,
        answer: (typed) => {
          const status = statuses[typed.toLowerCase()];
          if (status === undefined) return answer(typed);
          return { values: [{ field: "status", found: "", value: status }] };
        },
      };
    }
    case "alike":
      return {
        text: `${message}\nAre they the same animals? y leaves them out, n adds them. [y/n]`,
        answer: (typed) => {
          if (isYes(typed)) return { alike: "skip" };
          return /^no?$/iu.test(typed) ? { alike: "add" } : undefined;
        },
      };
    case "missing_key":
      return {
        text: `${message}\nLeave missing animals as they are? [y/N]`,
        answer: ifYes({ missing: "leave" }),
      };
    case "many_missing":
      return {
        text: `${message}\ny sets ${count ?? 0} animals to sold, n leaves them as they are. [y/n]`,
        answer: (typed) => {
          if (isYes(typed)) return { manyMissing: true };
          return /^no?$/iu.test(typed) ? { missing: "leave" } : undefined;
        },
      };
  }
}

const statuses: Readonly<Record<string, string>> = {
  a: "available",
  p: "pending",
  s: "sold",
};

/** The most columns that are listed to choose from. */
const MAX_LISTED = 40;

type Field = NonNullable<ShownQuestion["field"]>;

function choiceOf(
  message: string,
  field: Field,
  columns: readonly { readonly name: string; readonly number: number }[],
): Asked {
  const listed = columns
    .slice(0, MAX_LISTED)
    .map(({ name, number }) => `  ${number}  ${name === "" ? "(no name)" : name}`);
  return {
    text: `${message}\n${listed.join("\n")}\nWhich column is the ${field}? Type its number:`,
    answer: (typed) => {
      const found = columns.find(
        ({ name, number }) => typed !== "" && (String(number) === typed || name === typed),
      );
      return found && { map: [{ field, column: `#${found.number}` }] };
    },
  };
}

/** A number of a category that does not exist has no other meaning. */
function canMean({ field, found = "" }: ShownFault): boolean {
  return field !== undefined && (field !== "categoryId" || found === "");
}

function valueQuestion(fault: ShownFault, categories: readonly string[]): Asked {
  const { field: column = "name", found = "" } = fault;
  const field = column === "categoryId" ? "category" : column;
  const meaning = (value: string): Partial<ImportRequest> => ({
    values: [{ field, found, value }],
  });
  const what = found === "" ? "an empty cell" : quoted(found);
  if (field === "status") {
    return {
      text: `${grouped(fault)}\nWhat does ${what} mean? a available, p pending, s sold, x leave out such rows:`,
      answer: (typed) => {
        const status = typed.toLowerCase() === "x" ? "skip" : statuses[typed.toLowerCase()];
        return status === undefined ? undefined : meaning(status);
      },
    };
  }
  if (field === "category") {
    const listed = categories.slice(0, MAX_LISTED).map((name, at) => `  ${at + 1}  ${name}`);
    const create = found === "" ? "" : ", c to create it and other new ones";
    return {
      text: `${grouped(fault)}\n${listed.join("\n")}\nWhich category is ${what}? Type its number${create}, or x to leave out such rows:`,
      answer: (typed) => {
        if (typed.toLowerCase() === "x") return meaning("skip");
        if (typed.toLowerCase() === "c" && found !== "") return { createCategories: true };
        const name = categories.find((one, at) => String(at + 1) === typed || one === typed);
        return name === undefined ? undefined : meaning(name);
      },
    };
  }
  return {
    text: `${grouped(fault)}\nWhat does ${what} mean as ${field}? Type it as Petstore has it, or only Enter to leave it empty:`,
    answer: meaning,
  };
}

function goodRowsQuestion({ animals, faulty, faults }: ShownPlan): Asked | undefined {
  if (animals === 0 || faulty === 0) return undefined;
  const rows = faulty === 1 ? "1 row" : `${faulty} rows`;
  const others = animals === 1 ? "animal" : `${animals} animals`;
  return {
    text: `${faults.map(grouped).join("\n")}\nImport the other ${others}, and leave out ${rows}? [y/N]`,
    answer: ifYes({ goodRows: true }),
  };
}
