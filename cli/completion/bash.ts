import { IDS_PROCESS } from "./ids.ts";
import { quoted, type Argument, type Completion, type Option, type Place } from "./words.ts";

/** Writes what completes a value as one word that no shell expands. */
function actionOf(completion: Completion): string {
  if (completion.kind === "nothing") return "-";
  if (completion.kind === "choices") return completion.choices.join("|");
  return completion.kind === "ids" ? `@${completion.of}` : `@${completion.kind}`;
}

/** `--json` without a value, `--plan:free|pro` with one, `--wait~` with one that may be absent. */
function optionWord({ written, value, bare }: Option): string {
  if (value === undefined) return written;
  return bare ? `${written}~` : `${written}:${actionOf(value)}`;
}

function operandWord({ completion, many }: Argument): string {
  return `${many ? "+" : ""}${actionOf(completion)}`;
}

/** Writes the completion for bash 3.2 (macOS) or newer, which needs no other package. */
export function bashCompletion(places: readonly Place[]): string {
  const paths = places.flatMap(({ path }) => (path === "" ? [] : [quoted(path)])).join("|");
  const cases = places.map(({ path, next, options, operands }) =>
    [
      `    ${quoted(path)})`,
      ...(next.length === 0 ? [] : [`next=${quoted(next.map(({ word }) => word).join(" "))}`]),
      `options=${quoted(options.map(optionWord).join(" "))}`,
      ...(operands.length === 0 ? [] : [`operands=${quoted(operands.map(operandWord).join(" "))}`]),
      ";;",
    ].join(" "),
  );
  return `# Completion of petstore for bash. \`petstore completion bash\` writes it.
_petstore() {
  local IFS=$' \\t\\n' line=\${COMP_LINE:0:COMP_POINT} command= next= options= operands=
  local words current word item flag= kept= index=1 count=0 help=
  COMPREPLY=()
  # Not COMP_WORDS, which are cut at = and :.
  read -ra words <<<"$line"
  case $line in *[[:space:]]) words+=("") ;; esac
  local last=$((\${#words[@]} - 1))
  current=\${words[last]}
  if ((last > 1)) && [[ \${words[1]} == help ]]; then
    help=1
    index=2
  fi
  while ((index < last)); do
    word="\${command:+$command }\${words[index]}"
    case $word in
      ${paths}) command=$word ;;
      *) break ;;
    esac
    ((index++))
  done
  case $command in
${cases.join("\n")}
  esac
  [[ -n $help ]] && options= operands=
  while ((index < last)); do
    word=\${words[index]}
    if [[ $word == --* ]]; then
      for item in $options; do
        if [[ \${item%%:*} == "$word" && $item == *:* ]]; then
          ((++index == last)) && flag=\${item#*:}
          break
        fi
      done
    else
      ((count++))
    fi
    ((index++))
  done
  if [[ -z $flag && $current == --*=* ]]; then
    for item in $options; do
      [[ \${item%%[:~]*} == "\${current%%=*}" ]] && flag=\${item#*:}
    done
    # Where = ends a word for readline, it keeps what is before it.
    [[ $COMP_WORDBREAKS == *=* ]] || kept=\${current%%=*}=
    current=\${current#*=}
    [[ -n $flag ]] || return
  elif [[ -z $flag && $current == -* ]]; then
    for item in $options; do
      word=\${item%%[:~]*}
      [[ $word == "$current"* ]] && COMPREPLY+=("$word")
    done
    return
  elif [[ -z $flag && -n $next ]]; then
    ((count == 0)) || return
    flag=\${next// /|}
    [[ -z $command && -z $help ]] && flag+='|help'
  elif [[ -z $flag ]]; then
    for item in $operands; do
      flag=\${item#+}
      ((count == 0)) && break
      [[ $item == +* ]] && break
      flag=
      ((count--))
    done
  fi
  local found=
  case $flag in
    '' | -) return ;;
    @file) compopt -o default 2>/dev/null || { IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); }; return ;;
    @directory) compopt -o dirnames 2>/dev/null || { IFS=$'\\n'; COMPREPLY=($(compgen -d -- "$current")); }; return ;;
    @*) found=$(command petstore ${IDS_PROCESS} "\${flag#@}" "$line" 2>/dev/null | cut -f 1) ;;
    *) found=\${flag//|/ } ;;
  esac
  # Where : ends a word for readline, it keeps what is before it.
  local cut=
  [[ $COMP_WORDBREAKS == *:* ]] && cut=\${current%"\${current##*:}"}
  for word in $found; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$kept\${word#"$cut"}")
  done
}
complete -F _petstore petstore
`;
}
