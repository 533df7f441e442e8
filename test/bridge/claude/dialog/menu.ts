import { Title } from '../screen/title.ts';

const rule = '─'.repeat(40);

/** A dialog with options one below the other, which moves its marker by keys. */
export class Menu extends Title {
  readonly keys: string[] = [];
  words = 'Do you want to proceed?';
  options = ['No', 'Yes', 'Always'];
  at = 0;
  isOpen = true;
  /** What is chosen goes away. */
  onEnter = () => this.close();
  onEscape = () => this.close();
  onArrow = () => {};

  override rows = () =>
    this.isOpen
      ? [
          rule,
          ` ${this.words}`,
          ...this.options.map((label, at) => ` ${at === this.at ? '❯' : ' '} ${label}`),
          '',
          ' Esc to cancel · ↑/↓ to navigate',
        ]
      : [rule, '❯ ', rule];

  override resize = (cols: number, rows: number) => {
    this.size = { cols, rows };
    this.draw(this.title);
  };

  override write = (keys: string) => {
    this.keys.push(keys);
    if (keys === '\x1b[B' || keys === '\x1b[A') {
      this.at = (this.at + (keys === '\x1b[B' ? 1 : -1) + this.options.length) % this.options.length;
      this.onArrow();
      this.draw(this.title);
    } else if (keys === '\r') this.onEnter();
    else if (keys === '\x1b') this.onEscape();
  };

  /** Something else asks in its place. */
  becomes(words: string): void {
    this.words = words;
    this.draw('✳');
  }

  close(): void {
    this.isOpen = false;
    this.draw('✳');
  }

  open(): void {
    this.isOpen = true;
    this.draw('✳ asks');
  }
}
