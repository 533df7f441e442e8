/** A call whose strings are templates. */
export interface InputVariant {
  tool: string;
  /** The tool that it is in truth, where `tool` only wraps it. */
  means?: string;
  input: unknown;
}

/** Ways of one kind to do what a rule names. Strings are templates: `<path>` is a file that the rule names. */
export interface Family {
  name: string;
  /** One sentence: what its variants have in common. */
  what: string;
  /** The key of the rules that it is for. */
  names: 'command' | 'path' | 'host';
  /** What its strings are: a command, a path or an address for any tool that takes one. `input`: whole calls. */
  written: 'shell' | 'path' | 'url' | 'input';
  /** `file`: only for a program that is no builtin of the shell; `ip`: only for an address; else the program's name. */
  needs?: string;
  /** `deny`: it does what the rule names. `allow`: it looks like that, and does more or something else. */
  against: 'deny' | 'allow';
  variants: readonly (string | InputVariant)[];
}
