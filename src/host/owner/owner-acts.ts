import type { OwnerFrame } from '../../protocol/wire/host.ts';
import type { Framed } from '../../protocol/wire/host-codec.ts';
import type { HookSpool } from '../hooks/hook-spool.ts';
import type { Lifetime } from '../lifetime.ts';
import type { Program } from '../program/program.ts';

/** What an owner's frames act on. */
export interface Owned {
  program: Program | undefined;
  spool: HookSpool;
  lifetime: Lifetime;
  lease(ms: number | undefined, at: number | undefined): void;
  start(frame: OwnerFrame & { type: 'start' }, bytes: Buffer): void;
  attach(): void;
  remember(memo: Buffer): void;
  notice(message: Buffer, keep: boolean): void;
  quit(now: boolean): void;
}

/** @throws for what costs the connection */
export function act({ frame, bytes }: Framed<OwnerFrame>, owned: Owned): void {
  const { program, spool, lifetime } = owned;
  switch (frame.type) {
    case 'start':
      return owned.start(frame, bytes);
    case 'attach':
      return owned.attach();
    case 'input':
      return program?.type(bytes, frame.id);
    case 'resize':
      return program?.resize(frame.cols, frame.rows);
    case 'kill':
      return program?.kill(frame.signal, frame.all);
    case 'answer':
      return spool.answer(frame.hook, bytes);
    case 'ack':
      return spool.ack(frame.through);
    case 'done':
      return spool.done(frame.hook);
    case 'checkpoint':
      return program?.keep({ at: frame.at, cols: frame.cols, rows: frame.rows, bytes });
    case 'keep':
      return lifetime.keep(frame.ms);
    case 'lease':
      return owned.lease(frame.ms, frame.at);
    case 'memo':
      return owned.remember(bytes);
    case 'notice':
      return owned.notice(bytes, frame.keep);
    case 'quit':
      return owned.quit(frame.now === true);
    case 'hello':
    case 'proof':
      throw new TypeError(`a second ${frame.type}`);
    case 'pong':
      return;
    default:
      // A newer bridge may say what is not known here; the compiler knows that all else is.
      return unheard(frame);
  }
}

const unheard = (_frame: never): void => {};
