/** Data for programs and pipes. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Words for people. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);

export const printJson = (value: unknown): void => print(JSON.stringify(value));
