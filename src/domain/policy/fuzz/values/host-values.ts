// What templates say of a rule's `host`.
import type { Values } from '../fill.ts';

const plain = /^[a-z\d.-]{1,200}$/;

/** @returns undefined for a pattern of which no name of a host can be made */
export function hostValues(pattern: string): Values | undefined {
  const host =
    pattern === '*' ? 'example.com' : pattern.toLowerCase().replaceAll('*', 'x').replace(/\.$/, '');
  if (!plain.test(host)) return undefined;
  const first = host.slice(0, 1);
  return {
    host,
    HOST: host.toUpperCase(),
    'host-head': first,
    'host-tail': host.slice(1),
    'host-pct': `%${first.charCodeAt(0).toString(16).padStart(2, '0')}${host.slice(1)}`,
    'host-wide': `${String.fromCharCode(first.charCodeAt(0) + 0xfee0)}${host.slice(1)}`,
    'host-soft': `${first}\u00ad${host.slice(1)}`,
    'host-dots': host.includes('.') ? host.replaceAll('.', '\u3002') : undefined,
    'url-b64': btoa(`https://${host}/`),
    ...numbers(host === 'localhost' ? '127.0.0.1' : host),
  };
}

function numbers(ip: string): Values {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(ip)?.slice(1).map(Number);
  if (!parts) return { ip: undefined };
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  return {
    ip,
    'ip-decimal': String(((a * 256 + b) * 256 + c) * 256 + d),
    'ip-hex': `0x${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`,
    'ip-octal': parts.map((part) => `0${part.toString(8)}`).join('.'),
    'ip-short': `${a}.${(b * 256 + c) * 256 + d}`,
  };
}
