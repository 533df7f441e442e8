// `file:///etc/hosts`, which names a file as well as a path does.

/** @returns the text itself where it is none */
export function fileUrlPath(text: string): string {
  if (!/^\s*file:[/\\]/i.test(text)) return text;
  const url = URL.parse(text);
  if (!url) return text;
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return url.pathname;
  }
}
