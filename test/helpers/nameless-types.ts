import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import manifest from "../../package.json";
import { typesOf } from "./entries.ts";

/** A declaration in a `.d.ts` file. */
interface Declared {
  readonly file: string;
  readonly name: string;
  readonly text: string;
  /** True if its file exports it. */
  readonly exported: boolean;
}

interface Declarations {
  readonly declared: ReadonlyMap<string, Declared>;
  /** Imported names, with their file and original name. */
  readonly imported: ReadonlyMap<string, Source>;
}

interface Source {
  readonly file: string;
  readonly name: string;
}

/** Parses the compiler's declarations: each statement starts at the beginning of a line. */
function declarationsOf(file: string, text: string): Declarations {
  const declared = new Map<string, Declared>();
  const imported = new Map<string, Source>();
  const bare = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/\/\/.*$/gm, "");
  const lists = /^(?:import|export) (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm;
  for (const [, list = "", specifier = ""] of bare.matchAll(lists)) {
    for (const item of list.split(",")) {
      const [, name, as] = /^\s*(?:type )?(\w+)(?: as (\w+))?\s*$/.exec(item) ?? [];
      if (name !== undefined) imported.set(as ?? name, { file: fileOf(file, specifier), name });
    }
  }
  const statements = bare.split(/^(?=export |declare |interface |type |import )/m);
  for (const statement of statements) {
    const kinds =
      /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|const|function) (\w+)/;
    const name = kinds.exec(statement)?.[1];
    if (name !== undefined) {
      const exported = statement.startsWith("export ");
      declared.set(name, { file, name, text: statement, exported });
    }
  }
  return { declared, imported };
}

/** Returns the declarations of a module that `file` imports. */
function fileOf(file: string, specifier: string): string {
  return join(dirname(file), specifier).replace(/\.[jt]s$/, ".d.ts");
}

/** Finds declarations below a directory of `.d.ts` files. */
function typeGraph(read: (file: string) => string): {
  /** Resolves a name that `file` exports or uses. */
  readonly find: (source: Source) => Declared | undefined;
  /** The declarations that a declaration refers to. */
  readonly named: (declared: Declared) => readonly Declared[];
} {
  const files = new Map<string, Declarations>();
  const declarations = (file: string): Declarations => {
    const known = files.get(file) ?? declarationsOf(file, read(file));
    files.set(file, known);
    return known;
  };
  const find = ({ file, name }: Source): Declared | undefined => {
    const { declared, imported } = declarations(file);
    const elsewhere = imported.get(name);
    return declared.get(name) ?? (elsewhere && find(elsewhere));
  };
  return {
    find,
    named: ({ file, name, text }) => {
      const words = new Set(text.match(/(?<![.\w"'])[A-Z]\w*(?!\??:)/g));
      words.delete(name);
      // The compiler writes types that it infers with their files.
      const inferred = Array.from(
        text.matchAll(/\bimport\("(\.[^"]+)"\)\.(\w+)/g),
        ([, specifier = "", word = ""]) => ({ file: fileOf(file, specifier), name: word }),
      );
      const sources = [...Array.from(words, (word) => ({ file, name: word })), ...inferred];
      return sources.flatMap((source) => find(source) ?? []);
    },
  };
}

/** Exported types whose declarations name internals that nobody outside writes: only one member of the first has a use. */
const INTERNALS: ReadonlySet<string> = new Set(["PipelineContext", "Domains"]);

/**
 * Returns the types that the exports of the built package in `directory` lead to but that no entry exports, so that users
 * cannot write them. Format: `file name`.
 */
export async function namelessTypes(directory: string): Promise<readonly string[]> {
  const { find, named } = typeGraph((file) => readFileSync(file, "utf8"));
  const reached: Declared[] = [];
  const known = new Set<Declared>();
  for (const [subpath, target] of Object.entries(manifest.exports)) {
    if (typeof target === "string") continue;
    const entry = join(directory, typesOf(target));
    for (const name of exportedNames(await Bun.file(entry).text())) {
      const declared = find({ file: entry, name });
      if (declared === undefined) throw new Error(`${subpath} exports ${name} from nowhere.`);
      known.add(declared);
      if (!INTERNALS.has(name)) reached.push(declared);
    }
  }
  const seen = new Set(reached);
  const nameless: string[] = [];
  for (const declared of reached) {
    for (const next of named(declared)) {
      if (seen.has(next) || INTERNALS.has(next.name)) continue;
      seen.add(next);
      reached.push(next);
      // A helper that its file does not export is expanded, and so is the type of a value.
      const isType = !/^(?:export )?declare (?:const|function)/.test(next.text);
      if (next.exported && isType && !known.has(next)) {
        nameless.push(`${relative(directory, next.file)} ${next.name}`);
      }
    }
  }
  return nameless;
}

function exportedNames(text: string): readonly string[] {
  const lists = Array.from(
    text.matchAll(/^export (?:type )?\{([^}]*)\}/gm),
    ([, list = ""]) => list,
  );
  const listed = lists
    .flatMap((list) => list.split(","))
    .map((item) =>
      item
        .trim()
        .replace(/^type /, "")
        .replace(/^.* as /, ""),
    );
  const declarations =
    /^export (?:declare )?(?:abstract )?(?:interface|type|class|const|function) (\w+)/gm;
  const declared = Array.from(text.matchAll(declarations), ([, name = ""]) => name);
  return [...listed, ...declared].filter((name) => name !== "");
}
