import { safe, safeJson } from './safe.ts';

/** Data for programs and pipes. */
export const print = (text: string): void => void process.stdout.write(`${safe(text)}\n`);

/** Words for people. */
export const say = (text: string): void => void process.stderr.write(`${safe(text)}\n`);

export const printJson = (value: unknown): void => void process.stdout.write(`${safeJson(value)}\n`);
