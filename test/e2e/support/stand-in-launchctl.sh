# The `launchctl` of a test reads this: what a service asks of it, with its exit codes and words. It is asked so often that
# Node is started for a load alone. In $LAUNCHD_DIR are `calls`, `<label>.disabled`, `<domain>.said` where there is that
# domain, and of what is loaded `<domain>/<label>.said`, what `print` says of it, and `<domain>/<label>.keeper`, a pid.
cd "$LAUNCHD_DIR" || exit
verb=$1 target=$2 label=${2##*/}
fail() {
  echo "$2" >&2
  exit "$1"
}
missing() {
  fail 113 "Could not find service \"$label\" in domain"
}
case $verb in
print)
  # It was booted out, and needs to be asked so often until that is done.
  left=$(cat "$target.leaving" 2>/dev/null)
  case $left in
  0) rm -f "$target.said" "$target.leaving" ;;
  ?*) echo $((left - 1)) >"$target.leaving" ;;
  esac
  cat "$target.said" 2>/dev/null || missing
  exit
  ;;
print-disabled)
  label=synthesis-agent.bridge
  [ -e $label.disabled ] && word=disabled || word=enabled
  printf 'disabled services = {\n\t"%s" => %s\n}\n' $label $word
  exit
  ;;
esac
echo "$*" >>calls
case $verb in
enable) rm -f "$label.disabled" ;;
kickstart) [ -f "$target.said" ] || missing ;;
bootout)
  kill -TERM "$(cat "$target.keeper")" 2>/dev/null || fail 3 'Boot-out failed: 3: No such process'
  fail 36 'Boot-out failed: 36: Operation now in progress'
  ;;
bootstrap) exec "$node" "$load" "$target" "$3" ;;
*) fail 64 "Unrecognized subcommand: $verb" ;;
esac
