import { IDS_PROCESS } from "./ids.ts";
import { quoted, type Argument, type Completion, type Option, type Place } from "./words.ts";

/** Escapes a text in a specification of `_arguments`. */
function escaped(text: string): string {
  return text.replaceAll(/[\\:[\]]/g, String.raw`\$&`);
}

function actionOf(completion: Completion): string {
  switch (completion.kind) {
    case "choices":
      return `(${completion.choices.map(escaped).join(" ")})`;
    case "ids":
      // After a space, zsh inserts no arguments of its own.
      return ` _petstore_ids ${completion.of}`;
    case "file":
      return "_files";
    case "directory":
      return "_files -/";
    case "nothing":
      return " ";
  }
}

function optionSpec({ written, help, value, bare, many }: Option): string {
  const name = `${many ? "*" : ""}${written}${value === undefined ? "" : "="}[${escaped(help)}]`;
  if (value === undefined) return quoted(name);
  return quoted(`${name}${bare ? "::" : ":"}${escaped(value.placeholder)}:${actionOf(value)}`);
}

function operandSpec({ placeholder, completion, optional, many }: Argument): string {
  const position = many ? "*:" : optional ? "::" : ":";
  return quoted(`${position}${escaped(placeholder)}:${actionOf(completion)}`);
}

/** Writes the completion for zsh. */
export function zshCompletion(places: readonly Place[]): string {
  const paths = places.flatMap(({ path }) => (path === "" ? [] : [quoted(path)])).join("|");
  const cases = places.map(({ path, next, options, operands }) => {
    const words = next.map(({ word, help }) => quoted(`${escaped(word)}:${help}`));
    const specs = [...options.map(optionSpec), ...operands.map(operandSpec)];
    const values = [
      ...(words.length === 0 ? [] : [`next=(${words.join(" ")})`]),
      `specs=(${specs.join(" ")})`,
    ];
    return `    ${quoted(path)}) ${values.join("; ")} ;;`;
  });
  return `#compdef petstore
# Completion of petstore for zsh. \`petstore completion zsh\` writes it.
_petstore_ids() {
  local -a found
  found=(\${(f)"$(command petstore ${IDS_PROCESS} $1 "\${(@)words}" 2>/dev/null)"})
  # Lines of a value, a tab and a description.
  found=("\${(@)\${(@)found//:/\\\\:}//$'\\t'/:}")
  _describe -t "$1" "$1" found
}
_petstore() {
  local command= word help=
  local -a next specs
  if ((CURRENT > 2)) && [[ $words[2] == help ]]; then
    help=1
    shift words
    ((CURRENT--))
  fi
  while ((CURRENT > 2)); do
    word="\${command:+$command }$words[2]"
    case $word in
      (${paths}) command=$word ;;
      (*) break ;;
    esac
    shift words
    ((CURRENT--))
  done
  case $command in
${cases.join("\n")}
  esac
  if ((CURRENT == 2 && $#next)) && [[ $words[2] != -* ]]; then
    [[ -z $command && -z $help ]] && next+=('help:Describe a command')
    _describe -t commands command next
  elif [[ -z $help ]]; then
    _arguments -S $specs
  fi
}
if [[ $funcstack[1] == _petstore ]]; then
  _petstore "$@"
else
  compdef _petstore petstore
fi
`;
}
