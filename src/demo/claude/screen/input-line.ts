import { never } from '../../../base/never.ts';
import type { Session } from '../session.ts';
import { classifySubmission } from '../turn/submission.ts';
import { emptyBox, press } from './input-box.ts';
import type { Key } from './keys.ts';
import type { Screen } from './screen.ts';

/** Milliseconds within which a second Ctrl+C on an empty prompt exits. */
const exitWindowMs = 1000;

export interface InputLinePorts {
  screen: Screen;
  session: Session;
  /** A path completion list would be open for this text. */
  offersCompletion(path: string): boolean;
  /** The text as the user's editor leaves it. */
  edit(text: string): string;
  /** With more characters than this the box takes no key any more. */
  boxMost: number;
  exit(reason: string, code: number): void;
}

/** Keys that no dialog took: they edit the prompt, interrupt the turn, or send a line where it belongs. */
export class InputLine {
  readonly #ports: InputLinePorts;
  #exitArmedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: InputLinePorts) {
    this.#ports = ports;
  }

  onKey(key: Key): void {
    const { screen, session, offersCompletion, edit, boxMost } = this.#ports;
    if (screen.box.text.length > boxMost) return;
    const stops = key.kind === 'key' && (key.name === 'escape' || key.name === 'ctrl-c');
    if (stops && session.interrupt()) return;
    if (key.kind === 'key' && key.name === 'ctrl-g') {
      screen.setBox({ ...screen.box, text: edit(screen.box.text) });
      return;
    }
    const { box, outcome } = press(screen.box, key, offersCompletion);
    screen.setBox(box);
    switch (outcome.kind) {
      case 'none':
      case 'empty-escape':
        return;
      case 'submit':
        this.send(outcome.text, key.kind === 'key' && key.name === 'ctrl-x ctrl-s');
        return;
      case 'interrupt':
        this.#armExit();
        return;
      case 'cycle-mode':
        session.cycleMode();
        return;
      default:
        never(outcome);
    }
  }

  /** Sends a finished line. @param now it ends the turn that runs */
  send(text: string, now = false): void {
    const { session, exit } = this.#ports;
    const submission = classifySubmission(text);
    switch (submission.kind) {
      case 'prompt':
        session.prompt(text, now);
        return;
      case 'bash':
        session.bash(submission.command);
        return;
      case 'quit':
        exit('prompt_input_exit', 0);
        return;
      case 'command':
        void session.command(submission.name, submission.argument);
        return;
      default:
        never(submission);
    }
  }

  #armExit(): void {
    const now = performance.now();
    if (now - this.#exitArmedAt < exitWindowMs) this.#ports.exit('prompt_input_exit', 0);
    this.#ports.session.stopAgents('unsaid');
    this.#exitArmedAt = now;
    this.#ports.screen.setBox({ ...emptyBox, notice: 'Press Ctrl-C again to exit' });
  }
}
