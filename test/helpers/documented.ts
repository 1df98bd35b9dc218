import { dirname, join, normalize } from "node:path";
import { readFileSync } from "node:fs";

import { publicEntries } from "./entries.ts";

const ROOT = join(import.meta.dir, "../..");

/** A declaration that an entry point exports. */
interface Exported {
  readonly name: string;
  readonly file: string;
  /** Its doc comment; empty if it has none. */
  readonly comment: string;
  /** The lines of its declaration. */
  readonly lines: readonly string[];
}

/** A member of an exported type, or a member of an object in it. */
interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: string;
  /** Its doc comment; empty if it has none. */
  readonly comment: string;
  /** True if it is a member of the type itself. */
  readonly isOutermost: boolean;
}

/** Names of instants. */
const INSTANT =
  /(?:[a-z]At|Until|Since|[a-z]Before|[a-z]After|dayBefore)$|^(?:at|now|until|since)$/;
/** What a comment says of an instant that has another unit. */
const UNIT = /millisecond|\bseconds?\b|\bversion\b/;
/** What the adapters pass to a driver, by its names. */
const FOR_DRIVERS: ReadonlySet<string> = new Set(["PostgresClientOptions", "RedisClientOptions"]);
/** Names that say what a number is: with their unit, or of something that is counted or numbered. */
const EVIDENT =
  /(?:Ms|Seconds|Bytes|Percent|Pixels|Days|Ids?|Major|Minor|Count|Version|Status)$|^(?:id|seq|port|status|statusCode|bytes|limit|max|version|index|counter|remaining|added|updated|answered|logged|failed|waiting|overdue|bad|MaxKeys|PartNumber|atMost|granted|abusive|times|threshold|catalogue|line|quality|compressionLevel)$|^max[A-Z]|[a-z]s$/;
/** What a comment of an option that can be left out says about that. */
const ABSENCE =
  /\bdefaults?\b|\bwithout\b|\bundefined\b|\babsent\b|\bnone\b|\bthe same as in\b|\bif (?:given|set|present)\b/i;

/**
 * Returns what the comments of exported types leave to guess, as `file type.member: what`: an option without a comment; an option
 * that can be left out whose comment does not say what happens then; an instant without a unit; a number whose name does not say
 * what it counts or in which unit.
 */
export function undocumentedMembers(): readonly string[] {
  return exportedDeclarations("interface|type|class").flatMap((exported) => faultsOf(exported));
}

function faultsOf({ name, file, comment, lines }: Exported): readonly string[] {
  const isOptions = name.endsWith("Options");
  if (FOR_DRIVERS.has(name)) return [];
  const comments = [comment, ...lines.filter((line) => /^\s*(?:\/\*)?\*/.test(line))].join("\n");
  return membersIn(lines).flatMap((member) => {
    const says = (what: string): readonly string[] => [`${file} ${name}.${member.name}: ${what}`];
    if (isOptions && member.isOutermost) {
      if (member.comment === "") return says("an option without a comment");
      if (member.isOptional && !ABSENCE.test(member.comment)) return says("no word on its absence");
    }
    if (!/(?<![\w."])number(?![\w"])/.test(member.type)) return [];
    if (INSTANT.test(member.name)) {
      return UNIT.test(member.comment + comment) ? [] : says("an instant without its unit");
    }
    const isNamed = comments.includes(`\`${member.name}\``);
    if (member.comment === "" && !isNamed && !EVIDENT.test(member.name))
      return says("a bare number");
    return [];
  });
}

/** How a function refuses invalid options, itself or with a helper. */
const REFUSES =
  /\b(?:checkOptions|checkArgument|checkDomainsOptions|openTables|openSqliteStore|openSqliteSql)\(/;

/** Returns the exported functions that throw for invalid options, or reject, and do not say so: `file name`. */
export function undocumentedErrors(): readonly string[] {
  return exportedDeclarations("function")
    .filter(
      ({ lines, comment }) => REFUSES.test(lines.join("\n")) && !comment.includes("TypeError"),
    )
    .map(({ file, name }) => `${file} ${name}`);
}

/** Members are on lines of their own, or between the braces of an object on one line. */
function membersIn(lines: readonly string[]): readonly Member[] {
  return lines.flatMap((line, index) => {
    const first = /^( +)(?:readonly )?(\w+)(\??): ([^{]*)/.exec(line);
    const inner = Array.from(line.matchAll(/[{;] (?:readonly )?(\w+)(\??): ([^;,{}()]*)(?=[;}])/g));
    const comment = commentBefore(lines, index);
    const [, indent = "", name, optional, type = ""] = first ?? [];
    const outer: Member[] =
      name === undefined || type.includes("=>")
        ? []
        : [{ name, isOptional: optional === "?", type, comment, isOutermost: indent === "  " }];
    if (name !== undefined && type.includes("=>")) {
      outer.push({
        name,
        isOptional: optional === "?",
        type: "",
        comment,
        isOutermost: indent === "  ",
      });
    }
    return [
      ...outer,
      ...inner.map(([, inside = "", asked, what = ""]) => ({
        name: inside,
        isOptional: asked === "?",
        type: what,
        comment,
        isOutermost: false,
      })),
    ];
  });
}

function commentBefore(lines: readonly string[], index: number): string {
  if (lines[index - 1]?.trimEnd().endsWith("*/") !== true) return "";
  let from = index - 1;
  while (from > 0 && lines[from]?.includes("/**") !== true) from--;
  return lines.slice(from, index).join("\n");
}

/** Finds each exported declaration of some kinds once, where it is. */
function exportedDeclarations(kinds: string): readonly Exported[] {
  const found = new Map<string, Exported>();
  for (const { source } of publicEntries()) {
    for (const name of exportedNamesIn(read(source))) {
      const exported = declarationOf(source, name, kinds);
      if (exported !== undefined) found.set(`${exported.file} ${exported.name}`, exported);
    }
  }
  return [...found.values()];
}

function exportedNamesIn(text: string): readonly string[] {
  const listed = Array.from(
    text.matchAll(/^export (?:type )?\{([^}]*)\}/gm),
    ([, list = ""]) => list,
  );
  const names = listed
    .flatMap((list) => list.split(","))
    .flatMap((item) => /(\w+)\s*$/.exec(item.trim())?.[1] ?? []);
  const declared = text.matchAll(/^export (?:async )?(?:interface|type|class|function) (\w+)/gm);
  return [...names, ...Array.from(declared, ([, name = ""]) => name)];
}

function declarationOf(file: string, name: string, kinds: string): Exported | undefined {
  const text = read(file);
  const start = new RegExp(`^(?:export )?(?:async )?(?:${kinds}) ${name}\\b`, "m").exec(text);
  if (start !== null) {
    const before = text.slice(0, start.index).split("\n");
    return {
      name,
      file,
      comment: commentBefore(before, before.length - 1),
      lines: statementAt(text, start.index).split("\n"),
    };
  }
  const lists = /^(?:export|import) (?:type )?\{([^}]*)\}\s*from\s*"(\.[^"]+)"/gm;
  for (const [, list = "", from = ""] of text.matchAll(lists)) {
    for (const item of list.split(",")) {
      const [, original, alias = original] = /^\s*(?:type )?(\w+)(?: as (\w+))?/.exec(item) ?? [];
      if (original === undefined || alias !== name) continue;
      return declarationOf(normalize(join(dirname(file), from)), original, kinds);
    }
  }
  return undefined;
}

/** Returns a declaration up to the line before the next one, since each begins at the start of a line. */
function statementAt(text: string, start: number): string {
  const next = /^(?:export|interface|type|class|const|function|async|\/\*\*|\/\/)/gm;
  next.lastIndex = start + 1;
  const end = next.exec(text)?.index ?? text.length;
  return text.slice(start, end);
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}
