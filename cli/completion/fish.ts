import { IDS_PROCESS } from "./ids.ts";
import { type Argument, type Completion, type Option, type Place } from "./words.ts";

/** Quotes a text for fish, which knows two escapes in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

/** Writes the switches of \`complete\` for a value. */
function valueOf(completion: Completion): string {
  switch (completion.kind) {
    case "choices":
      // The tab ends the value, so that it does not get the description of its option.
      return ` -a ${quoted(completion.choices.map((choice) => String.raw`${choice}\t`).join(" "))}`;
    case "ids":
      return ` -a '(__petstore_ids ${completion.of})'`;
    case "file":
      return " -F";
    case "directory":
      return " -a '(__fish_complete_directories (commandline -ct))'";
    case "nothing":
      return "";
  }
}

function optionLine(at: string, { written, help, value, bare }: Option): string {
  const shown = `complete -c petstore -n ${quoted(at)} -l ${written.slice(2)} -d ${quoted(help)}`;
  if (value === undefined) return shown;
  return `${shown}${bare ? "" : " -r"}${value.kind === "file" ? "" : " -f"}${valueOf(value)}`;
}

function operandLine(path: string, index: number, { completion, many }: Argument): string {
  const at = `__petstore_operand ${quoted(path)} ${index} ${many ? "-ge" : "-eq"}`;
  return `complete -c petstore -n ${quoted(at)}${valueOf(completion)}`;
}

/** Writes the completion for fish 3.1 or newer. */
export function fishCompletion(places: readonly Place[]): string {
  const paths = places.flatMap(({ path }) => (path === "" ? [] : [quoted(` ${path}`)])).join(" ");
  const valued = places.flatMap(({ path, options, operands }) => {
    if (operands.length === 0) return [];
    const names = options.flatMap(({ written, value, bare }) =>
      value === undefined || bare ? [] : [written],
    );
    return `        case ${quoted(path)}\n            set valued ${names.join(" ")}`;
  });
  const lines = places.flatMap(({ path, next, options, operands }) => [
    ...next.map(
      ({ word, help }) =>
        `complete -c petstore -n ${quoted(`__petstore_after ${quoted(path)}`)} -a ${quoted(word)} -d ${quoted(help)}`,
    ),
    ...options.map((option) => optionLine(`__petstore_at ${quoted(path)}`, option)),
    ...operands.flatMap((operand, index) =>
      operand.completion.kind === "nothing" ? [] : [operandLine(path, index, operand)],
    ),
  ]);
  return `# Completion of petstore for fish. \`petstore completion fish\` writes it.
# Finds the command and counts its arguments, once for each line.
function __petstore_read
    set -l words (commandline -opc)
    test "$words" = "$__petstore_line"; and return
    set -g __petstore_line $words
    set -g __petstore_help 0
    set -g __petstore_path
    set -g __petstore_operands 0
    set -e words[1]
    if test "$words[1]" = help
        set __petstore_help 1
        set -e words[1]
    end
    while set -q words[1]
        contains -- "$__petstore_path $words[1]" ${paths}
        or break
        set __petstore_path "$__petstore_path $words[1]"
        set -e words[1]
    end
    set __petstore_path (string trim -- "$__petstore_path")
    set -l valued
    switch "$__petstore_path"
${valued.join("\n")}
    end
    while set -q words[1]
        if not string match -q -- '--*' "$words[1]"
            set __petstore_operands (math $__petstore_operands + 1)
        else if contains -- "$words[1]" $valued
            set -e words[1]
        end
        set -e words[1]
    end
end
function __petstore_at
    __petstore_read
    test "$__petstore_path" = "$argv[1]"; and test $__petstore_help -eq 0
end
function __petstore_after
    __petstore_read
    test "$__petstore_path" = "$argv[1]"; and test $__petstore_operands -eq 0
end
function __petstore_operand
    __petstore_at "$argv[1]"; and test $__petstore_operands $argv[3] $argv[2]
end
function __petstore_ids
    command -q petstore; and command petstore ${IDS_PROCESS} $argv[1] (commandline -opc) 2>/dev/null
end
complete -c petstore -f
complete -c petstore -n "test (count (commandline -opc)) -eq 1" -a help -d 'Describe a command'
${lines.join("\n")}
`;
}
