// The road of a long text. Every piece that is typed has Claude Code lay out its whole prompt again: 100,000 characters
// in 1,000 lines take it 1.3 s, 300,000 in 3,000 lines 8.7 s, on a busy machine 4 s and 14 s. What comes back from the
// editor it opens with Ctrl+G is in the box at once, to the letter: 0.4 to 0.6 s until it is taken, for either, busy or not (measured on 2.1.329).
import { join } from 'node:path';

const scriptFile = 'editor.sh';
/** In the folder of a run, or that of its texts: what its editor gives to Claude Code next. */
export const textFile = 'message.txt';

/** Claude Code takes an editor's command apart at blanks, whatever the quotes (measured on 2.1.329). */
const speakable = /^[\w./@%+:-]+$/;

export interface PromptEditor {
  env: { EDITOR: string; VISUAL: string };
  file: { name: string; content: string };
}

/**
 * The editor that a Claude Code is started with; undefined where its files cannot be named.
 * @param own the editor of the user: it still opens for whatever else wants one
 * @param texts folder in which it finds them
 */
export function promptEditor(dir: string, own = 'vi', texts = dir): PromptEditor | undefined {
  if (!speakable.test(dir)) return undefined;
  const command = `sh ${join(dir, scriptFile)}`;
  return {
    env: { EDITOR: command, VISUAL: command },
    file: { name: scriptFile, content: script(join(texts, textFile), own) },
  };
}

/** Taken by a move, so that a text taken back meanwhile is not taken. */
const script = (text: string, own: string): string => `for file; do :; done
case \${file##*/} in
claude-prompt-*) mv -f ${text} "$file" 2>/dev/null && exit 0 ;;
esac
own='${own.replaceAll("'", `'\\''`)}'
exec sh -c "$own \\"\\$@\\"" "$own" "$@"
`;
