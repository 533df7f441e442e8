import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { textFile } from '../../../../src/bridge/claude/launch/prompt-editor.ts';
import { Title } from '../screen/title.ts';
import { submitKey } from '../usual-keys.ts';

const rule = '─'.repeat(20);

/** A prompt box that shows what is pasted into it, and draws when its size changes. */
export class TypedBox extends Title {
  /** What was typed, read or not. */
  readonly keys: string[] = [];
  /** What was typed into an editor of the user's own. */
  readonly edited: string[] = [];
  /** That editor draws itself when the size changes. */
  drawsEdited = false;
  /** Where the bridge puts what its editor is to bring; none: Ctrl+G does nothing. */
  editorDir: string | undefined;
  /** What Claude Code does with a text, with the key that sends it, with an Esc, and with another size. */
  onPaste = (text: string) => this.shows(this.#text + text);
  onSubmit = () => {};
  onEscape = () => {};
  onInterrupt = () => {};
  onResize = () => this.draw(this.title);
  #text = '';
  #notice = '';
  #isEdited = false;
  #unread: string[] | undefined;

  override rows = () => (this.#isEdited ? [] : [rule, `❯ ${this.#text}`, rule, this.#notice]);
  override resize = (cols: number, rows: number) => {
    this.size = { cols, rows };
    if (!this.#unread) this.onResize();
  };
  override write = (keys: string) => {
    this.keys.push(keys);
    if (this.#unread) this.#unread.push(keys);
    else this.#read(keys);
  };

  shows(text: string, notice = ''): void {
    this.#text = text;
    this.#notice = notice;
    this.draw('✳');
  }

  /** From now on it reads nothing and draws nothing. */
  stop(): void {
    this.#unread = [];
  }

  /** It reads what waited. */
  continue(): void {
    const keys = this.#unread ?? [];
    this.#unread = undefined;
    this.onResize();
    for (const each of keys) this.#read(each);
  }

  #read(keys: string): void {
    if (this.#isEdited) this.edited.push(keys);
    else if (keys.startsWith('\x1b[200~')) this.onPaste(keys.replaceAll(/\x1b\[20[01]~/g, ''));
    else if (keys === submitKey) this.onSubmit();
    else if (keys === '\x1b') this.onEscape();
    else if (keys === '\x03') this.onInterrupt();
    else if (keys.startsWith('\x7f')) this.shows('');
    else if (keys === '\x07') this.#edit();
  }

  #edit(): void {
    if (this.editorDir === undefined) return;
    const text = join(this.editorDir, textFile);
    this.#isEdited = !existsSync(text);
    rmSync(text, { force: true });
    // An editor of the user's own stays, and Claude Code draws nothing behind it.
    if (this.#isEdited && !this.drawsEdited) this.onResize = () => {};
    this.shows(this.#isEdited ? '' : 'from the editor');
  }
}
