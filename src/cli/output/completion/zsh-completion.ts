import { fileFlags } from '../words/file-flags.ts';

/**
 * The completion script for zsh. Ours instead of the library's, which leaves colons as they are, where `_describe` takes
 * all behind the first one for the description; it also has the words that were typed evaluated.
 */
export const zshCompletion = (name: string): string => `#compdef ${name}
_${name}() {
  local line value about tab=$'\\t'
  local -a typed choices
  typed=("\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}")
  case $words[CURRENT-1] in
    ${fileFlags.join('|')}) _files; return ;;
  esac
  if [[ $PREFIX == --*=* ]]; then compset -P 1 '*='; fi
  for line in "\${(@f)$(${name} complete -- "\${typed[@]}" 2>/dev/null)}"; do
    value=\${line%%$tab*}
    about=\${line#*$tab}
    if [[ -n $value && $value != :* ]]; then choices+=("\${value//:/\\\\:}\${about:+:$about}"); fi
  done
  _describe -t values '${name}' choices
}
if [[ $funcstack[1] == _${name} ]]; then _${name}; else compdef _${name} ${name}; fi
`;
