import { fileFlags } from '../words/file-flags.ts';

/**
 * The completion script for bash. Ours instead of the library's: it needs no bash-completion package, gives the words
 * that were typed to the program without evaluating them, and completes names with colons in them, at which bash splits.
 * Works from bash 3.2 on, which is what macOS has.
 */
export const bashCompletion = (name: string): string => `# bash completion for ${name}
_${name}_complete() {
  local line=\${COMP_LINE:0:COMP_POINT} cur='' match trim='' value rest
  local -a words
  read -r -a words <<< "$line"
  if [[ $line == *[![:space:]] ]]; then cur=\${words[\${#words[@]}-1]}; else words+=(''); fi
  COMPREPLY=()
  case \${words[\${#words[@]}-2]} in
    ${fileFlags.join('|')}) compopt -o default 2>/dev/null; return ;;
  esac
  match=$cur
  if [[ $cur == --*=* ]]; then match=\${cur#*=}; fi
  if [[ $COMP_WORDBREAKS == *:* && $match == *:* ]]; then trim=\${match%"\${match##*:}"}; fi
  while IFS=$'\\t' read -r value rest; do
    if [[ $value != :* && $value == "$match"* ]]; then COMPREPLY+=("\${value#"$trim"}"); fi
  done < <(${name} complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _${name}_complete ${name}
`;
