import type { IncomingMessage } from 'node:http';

export interface BodyReading {
  /** Longest body, bytes. */
  most: number;
  /** Where room is taken for what was read. It is given back unless the body comes whole. */
  room: { reserve(bytes: number): boolean; release(bytes: number): void };
  whole(body: Buffer): void;
  /** It is longer. */
  long(): void;
  /** There is no room for it. */
  full(): void;
}

/** Reads a request's body. Calls one of the three at most, once: none when the client hangs up. */
export function readBody(request: IncomingMessage, { most, room, whole, long, full }: BodyReading): void {
  const parts: Buffer[] = [];
  let length = 0;
  let over = false;
  const giveUp = () => {
    if (over) return;
    over = true;
    parts.length = 0;
    room.release(length);
  };
  if (Number(request.headers['content-length']) > most) return long();
  request.on('data', (part: Buffer) => {
    if (over) return;
    const isLong = length + part.length > most;
    if (isLong || !room.reserve(part.length)) {
      giveUp();
      // Nobody keeps the rest; Node reads it away.
      if (isLong) long();
      else full();
      return;
    }
    length += part.length;
    parts.push(part);
  });
  request.on('end', () => {
    if (over) return;
    over = true;
    whole(Buffer.concat(parts));
  });
  request.on('close', giveUp);
}
