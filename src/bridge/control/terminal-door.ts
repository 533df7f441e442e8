// Joins operators to Claude's own terminal. Many look, one types: whoever holds the lease, which the journal shows.
// Whose terminal is slow gets a new picture instead of every byte.
import { newId } from '../../base/ids.ts';
import type { AttachParams, CallId } from '../../domain/views/control.ts';
import type { Operator } from '../app/operator/operator.ts';
import { OperatorError } from '../app/operator/operator-error.ts';
import type { Attachment, ControlCall } from './control-call.ts';
import type { OpenView, TerminalView } from './control-ports.ts';

interface Size {
  cols: number;
  rows: number;
}

export interface TerminalDoorOptions {
  operator: Operator;
  openView: OpenView;
}

type Ended = { reason: 'exited' | 'cancelled' };

export class TerminalDoor {
  readonly #options: TerminalDoorOptions;
  readonly #joined = new Map<string, Set<Joined>>();

  constructor(options: TerminalDoorOptions) {
    this.#options = options;
  }

  /** Everything is stopped: whoever drives only looks from here on. */
  letGo(): void {
    for (const others of this.#joined.values()) for (const each of others) each.drive(false);
  }

  /** Answers when Claude Code has ended or the client has left. */
  async attach(params: AttachParams, call: ControlCall): Promise<Ended> {
    const { operator, openView } = this.#options;
    const key = operator.resolve(params.session).key;
    const ended = Promise.withResolvers<Ended>();
    let joined: Joined | undefined;
    const view = openView(
      key,
      (data) => joined?.output(data),
      () => ended.resolve({ reason: 'exited' }),
    );
    if (!view) throw notRunning(key);
    const others = this.#joined.get(key) ?? new Set();
    this.#joined.set(key, others);
    joined = new Joined({
      key,
      view,
      call,
      operator,
      others,
      size: params,
      who: params.who ?? 'an operator',
    });
    call.signal.addEventListener('abort', () => ended.resolve({ reason: 'cancelled' }));
    try {
      if (params.drive) joined.drive(true);
      await Promise.race([joined.open(), ended.promise]);
      return await ended.promise;
    } finally {
      joined.close();
      if (others.size === 0 && this.#joined.get(key) === others) this.#joined.delete(key);
    }
  }
}

interface JoinedOptions {
  key: string;
  view: TerminalView;
  call: ControlCall;
  operator: Operator;
  /** Everybody who has joined this terminal. */
  others: Set<Joined>;
  size: Size;
  who: string;
}

type Output =
  /** A picture comes later: whatever is drawn until then is part of it. */
  | { name: 'skipping' }
  /** The picture is being taken: what comes now belongs on top of it. */
  | { name: 'holding'; held: (() => void)[] }
  | { name: 'flowing' };

/** One client at one terminal. */
class Joined implements Attachment {
  readonly #options: JoinedOptions;
  readonly #lease = newId('d');
  #output: Output = { name: 'skipping' };
  #size: Size;
  /** What Claude's size was before this client drove: it is put back, because the bridge reads the screen, too. */
  #before: Size | undefined;
  #closed = false;

  constructor(options: JoinedOptions) {
    this.#options = options;
    this.#size = { cols: options.size.cols, rows: options.size.rows };
    options.others.add(this);
    options.call.attachments.set(options.call.id, this);
  }

  get driving(): boolean {
    return this.#before !== undefined;
  }

  get who(): string {
    return this.#options.who;
  }

  /** Sends the picture, then what was held back meanwhile. */
  async open(): Promise<void> {
    const { view, call } = this.#options;
    const held: (() => void)[] = [];
    this.#output = { name: 'holding', held };
    const snapshot = await view.snapshot();
    call.notify('terminal.snapshot', { ...snapshot, driver: this.#driver() });
    this.#output = { name: 'flowing' };
    for (const send of held) send();
  }

  output(data: string): void {
    const { call } = this.#options;
    if (this.#output.name === 'flowing' && call.clogged) void this.#catchUp();
    else this.#inOrder(() => call.notify('terminal.data', { data }));
  }

  input(data: string): void {
    if (!this.driving) throw notDriving();
    this.#options.view.write(data);
  }

  resize(cols: number, rows: number): boolean {
    this.#size = { cols, rows };
    if (this.driving) this.#apply(this.#size);
    return this.driving;
  }

  drive(drive: boolean): boolean {
    if (drive === this.driving) return drive;
    const { operator, key, view, who } = this.#options;
    if (!drive) {
      this.#release('given back');
      return false;
    }
    operator.takeLease(key, this.#lease, who);
    this.#before = view.size;
    this.#apply(this.#size);
    this.#tellLease();
    return true;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const { view, call, others } = this.#options;
    others.delete(this);
    call.attachments.delete(call.id);
    if (this.driving) this.#release('left');
    view.detach();
  }

  /** Bytes are dropped until the client has read what it has; then it gets the picture as it is by then. */
  async #catchUp(): Promise<void> {
    this.#output = { name: 'skipping' };
    await this.#options.call.drained();
    if (!this.#closed) await this.open();
  }

  #release(why: string): void {
    const { operator, key } = this.#options;
    const before = this.#before;
    this.#before = undefined;
    operator.releaseLease(key, this.#lease, why);
    if (before) this.#apply(before);
    this.#tellLease();
  }

  #apply({ cols, rows }: Size): void {
    const { view, others } = this.#options;
    const { size } = view;
    if (size.cols === cols && size.rows === rows) return;
    view.resize(cols, rows);
    for (const each of others) each.#resized({ cols, rows });
  }

  #resized(size: Size): void {
    this.#inOrder(() => this.#options.call.notify('terminal.resized', size));
  }

  #inOrder(send: () => void): void {
    if (this.#output.name === 'holding') this.#output.held.push(send);
    else if (this.#output.name === 'flowing') send();
  }

  #tellLease(): void {
    const driver = this.#driver();
    for (const each of this.#options.others) {
      each.#options.call.notify('terminal.lease', { driver, mine: each.driving });
    }
  }

  #driver(): string | null {
    return [...this.#options.others].find((each) => each.driving)?.who ?? null;
  }
}

const notRunning = (key: string) =>
  new OperatorError(
    'not_running',
    `Claude Code is not running for "${key}".`,
    'Start it with `synthesis restart`, or send it a message.',
  );

const notDriving = () =>
  new OperatorError(
    'not_driving',
    'You only look at this terminal.',
    'Attach with --drive to type; one at a time may.',
  );

/** @throws OperatorError `no_such_call` */
export function attachmentOf(call: ControlCall, id: CallId): Attachment {
  const found = call.attachments.get(id);
  if (found) return found;
  throw new OperatorError(
    'no_such_call',
    `No \`terminal.attach\` with the id ${JSON.stringify(id)} runs on this connection.`,
    'It has ended, or was made on another connection.',
  );
}
