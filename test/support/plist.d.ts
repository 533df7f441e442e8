declare module 'plist' {
  export function parse(xml: string): unknown;
}
