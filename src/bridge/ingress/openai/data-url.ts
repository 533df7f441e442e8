const form = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[^;,]*)*?(;base64)?,(.*)$/s;

/** What a `data:` URL holds; undefined for any other. */
export function dataUrlOf(url: string): { mime: string; bytes: Buffer } | undefined {
  if (!url.startsWith('data:')) return undefined;
  const [, mime = 'application/octet-stream', base64, body = ''] = form.exec(url) ?? [];
  return { mime, bytes: base64 ? Buffer.from(body, 'base64') : Buffer.from(decodeURIComponent(body)) };
}
