// What a field may mean by its name alone, in a tool that nobody here knows.
import type { Meaning } from './meaning.ts';

const names: readonly (readonly [Meaning, RegExp])[] = [
  ['command', /^(?:cmd|command|commandline|command_line|argv)s?$|(?:Command|Cmd)s?$|_(?:command|cmd)s?$/],
  ['code', /^(?:code|script|source_code|expression|javascript|python|stdin)s?$|(?:Code|Script)$/],
  ['media', /^(?:media|image|photo|picture|audio|video|pdf|attachment|avatar)(?:_url|Url|URL)?s?$/],
  ['url', /^(?:.*_)?(?:url|uri|href|host|hostname|endpoint)s?$|(?:Url|URL|Uri|URI|Host|Href)s?$/],
  [
    'path',
    /^(?:.*_)?(?:path|file|filename|file_name|filepath|dir|directory|folder|cwd|workdir|root)s?$|(?:Path|File|Filename|FileName|fileName|Dir|Directory|Folder)s?$/,
  ],
];

/** @param place `args.files[]`: the name is `files` */
export function meaningByName(place: string): Meaning {
  const name = lastName(place);
  return names.find(([, pattern]) => pattern.test(name))?.[0] ?? 'unknown';
}

const lastName = (place: string): string =>
  place.slice(place.lastIndexOf('.') + 1).replace(/(?:\[\d*\]|\{\})+$/, '');

/** Words of a person, if a tool's schema says no more of them. */
export const isWords = (place: string): boolean =>
  /^(?:title|description|content|text|body|summary|caption|comment)$/.test(lastName(place));

/** Yes or no, a number or one word: and yet they change what is done, or as whom. */
export const isPower = (place: string): boolean =>
  /^(?:env|environment|elevated|sudo|admin|privileged|as_root|asRoot|run_as|runAs|uid|user|unsafe|insecure|sandbox|shell|force)$|^(?:dangerously|allow|skip|disable|bypass|no_|no[A-Z])/.test(
    lastName(place),
  );
