// Values of a Secret of Kubernetes: base64 hides them from nobody.
import { isPlaceholder } from './placeholder.ts';
import type { Place } from './secret.ts';

const kind = /^[ \t]{0,20}["']?kind["']?:[ \t]{0,4}["']?Secret["']?,?[ \t]{0,4}\r?$/gm;
const entry =
  /^[ \t]{1,20}["']?[\w.-]{1,80}["']?:[ \t]{1,4}["']?([A-Za-z0-9+/]{8,4000}={0,2})(?=["']?,?[ \t]{0,4}\r?$)/gm;
const data = /^[ \t]{0,20}["']?(?:data|stringData)["']?:/m;
/** Characters around a kind that belong to it. */
const near = 4_000;
const border = /^---[ \t]*\r?$/m;

export function* kubernetesSecrets(text: string): Generator<Place> {
  let done = 0;
  for (const { index } of text.matchAll(kind)) {
    if (index < done) continue;
    const head = text.slice(Math.max(done, index - near), index);
    const begin = index - head.length + head.lastIndexOf('\n---') + 1;
    const rest = text.slice(index, index + near);
    const end = border.exec(rest)?.index ?? rest.length;
    const one = text.slice(begin, index + end);
    done = index + end;
    const from = data.exec(one);
    if (!from) continue;
    const inside = one.slice(from.index);
    for (const match of inside.matchAll(entry)) {
      const value = match[1] ?? '';
      if (!isEncoded(value)) continue;
      const last = begin + from.index + match.index + match[0].length;
      yield { start: last - value.length, end: last, kind: 'Kubernetes secret' };
    }
  }
}

/** Names of settings are letters, too: of those base64 has no whole number of bytes, or none of a text. */
const isEncoded = (value: string): boolean =>
  value.length % 4 === 0 && !isPlaceholder(value) && (/[\d+/=]/.test(value) || /[a-z][A-Z]/.test(value));
