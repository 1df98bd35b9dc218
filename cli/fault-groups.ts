import type { ImportFault } from "../lib/management/index.ts";

/** Rows of a file with the same fault. */
export interface FaultGroup {
  /** Of the error body, or of the line: `unknown_category`, `field_count` … */
  readonly code: string;
  /** Of the first of these rows. */
  readonly message: string;
  readonly count: number;
  /** The first few lines. */
  readonly lines: readonly number[];
}

export interface FaultGroups {
  readonly add: (fault: ImportFault, message: string) => void;
  /** In the order of their first lines. */
  readonly all: () => readonly FaultGroup[];
}

/** The most groups with a message of their own; further rows are grouped by code. */
const MAX_MESSAGES = 20;
const MAX_LINES = 5;

/** Counts the faults of a file, in memory that does not grow with it. */
export function createFaultGroups(): FaultGroups {
  const groups = new Map<string, { group: FaultGroup; readonly lines: number[] }>();
  return {
    add: (fault, message) => {
      const { code } = "problem" in fault ? fault.problem : fault.fault;
      const own = `${code} ${message}`;
      const isOwn = groups.has(own) || groups.size < MAX_MESSAGES;
      const key = isOwn ? own : code;
      const known = groups.get(key);
      if (known === undefined) {
        const lines = [fault.line];
        const words = isOwn ? message : `Further rows with ${code}, such as: ${message}`;
        groups.set(key, { group: { code, message: words, count: 1, lines }, lines });
        return;
      }
      if (known.lines.length < MAX_LINES) known.lines.push(fault.line);
      known.group = { ...known.group, count: known.group.count + 1 };
    },
    all: () => Array.from(groups.values(), ({ group }) => group),
  };
}

/** A group as one line: `line 4: There is no category "Unicorns".` or `3 rows: …. Lines 4, 7 and 9.` */
export function groupText({ message, count, lines }: FaultGroup): string {
  if (count === 1) return `line ${lines[0]}: ${message}`;
  const sentence = /[.)]$/.test(message) ? message : `${message}.`;
  const more = count > lines.length ? ", …" : "";
  return `${count} rows: ${sentence} Lines ${lines.join(", ")}${more}`;
}
