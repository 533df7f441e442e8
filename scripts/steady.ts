// What differs between two runs and tells a reader nothing: clock, codes, ids, ports. In pictures it is the same each
// time, in the same number of cells, so that a changed picture means a changed screen.

/** Ids and codes in the order in which they were first seen. */
export class Steady {
  readonly #ids = new Map<string, string>();
  readonly #codes = new Map<string, string>();

  /** The next permission code that was shown. */
  code(code: string): void {
    if (!this.#codes.has(code))
      this.#codes.set(code, ['kqzfd', 'mvbtx', 'hwcng'][this.#codes.size] ?? 'rjpsy');
  }

  /** @param text the text of one picture, top to bottom */
  picture(text: string): string {
    let times = 0;
    let steady = text
      .replace(/(127\.0\.0\.1:)\d+/g, '$118801')
      .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-12-01T09:01:20.000Z')
      // Rows of frames stand in the order of time: four to a second.
      .replace(/\b\d\d:\d\d:\d\d\b/g, () => `09:01:${String(10 + Math.floor(times++ / 4)).padStart(2, '0')}`)
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}[0-9a-f-]*/g, (id) => this.#id(id.slice(0, 8)).slice(0, id.length))
      .replace(/\b\d+m\d\ds\b/g, (left) => left.replace(/\d\ds$/, '54s'))
      .replace(/ (?: \d|\d\d)s(?![\w.])/g, ' 12s')
      .replace(/\b\ds ago|(?<=retry in )\ds/g, (ago) => `1${ago.slice(1)}`)
      .replace(
        /(\bpid *(?:<\/text><text[^>]*>)? *)(\d+)/g,
        (_, before: string, pid: string) => before + '4711000'.slice(0, pid.length),
      )
      .replace(/\b\d\ds ago/g, '19s ago')
      .replace(/synthesis-e2e-\w{6}/g, 'synthesis-e2e-000000');
    for (const [code, name] of this.#codes) steady = steady.replaceAll(code, name);
    return steady;
  }

  #id(start: string): string {
    const known = this.#ids.get(start);
    if (known !== undefined) return known;
    const digit = (this.#ids.size + 4).toString(16);
    const id = `${digit}c1e07b2-9d4f-4${digit}8a-b6e3-5f20c7a91d${digit}8`;
    this.#ids.set(start, id);
    return id;
  }
}
