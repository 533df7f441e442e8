const form = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[^;,]*)*?(;base64)?,(.*)$/s;

/** What a `data:` URL holds; undefined for any other. */
export function dataUrlOf(url: string): { mime: string; bytes: Buffer } | undefined {
  if (!url.startsWith('data:')) return undefined;
  const [, mime = 'application/octet-stream', base64, body = ''] = form.exec(url) ?? [];
  return { mime, bytes: base64 ? Buffer.from(body, 'base64') : percentDecoded(body) };
}

/** Any bytes. What is no escape sequence stands for itself, as browsers read it. */
function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text).toString('latin1');
  const decoded = bytes.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}
