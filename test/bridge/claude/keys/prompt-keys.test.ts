import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyBindings } from '../../../../src/bridge/claude/keys/key-bindings.ts';
import { keyBytes, normalKeys } from '../../../../src/bridge/claude/keys/key-bytes.ts';
import { promptKeys } from '../../../../src/bridge/claude/keys/prompt-keys.ts';

type Bound = Record<string, string | null>;
const file = (bindings: Bound, context = 'Chat') => JSON.stringify({ bindings: [{ context, bindings }] });
const keys = (bindings: Bound, version?: string) => promptKeys(keyBindings(file(bindings), version));

test.each([
  ['ctrl+x ctrl+s', '\x18\x13'],
  ['Control+X  CTRL+s', '\x18\x13'],
  ['alt+s', '\x1bs'],
  ['option+enter', '\x1b\r'],
  ['esc', '\x1b'],
  ['return', '\r'],
  ['ctrl+_', '\x1f'],
  [' ', ' '],
  ['ctrl+enter', undefined],
  ['shift+enter', undefined],
  ['cmd+s', undefined],
  ['f5', undefined],
  ['ctrl+x f5', undefined],
])('a terminal sends %j as %j', (name, bytes) => {
  expect(keyBytes(name)).toBe(bytes);
});

test('every spelling of the same keys is one', () => {
  expect(normalKeys('S+Meta+ctrl')).toBe(normalKeys('ctrl+alt+s'));
});

test.each<[string, Bound, string | undefined]>([
  ['nothing is bound', {}, '\x18\x13'],
  ['Enter begins a line', { enter: 'chat:newline' }, '\x18\x13'],
  ['Ctrl+X alone does something', { 'ctrl+x': 'chat:stash' }, '\x18\x13'],
  ['the chord is bound otherwise', { 'ctrl+x ctrl+s': 'chat:stash' }, '\x18\r'],
  ['the chord begins a longer one', { 'ctrl+x ctrl+s a': 'chat:undo' }, '\x18\r'],
  ['another key sends', { 'ctrl+x ctrl+s': null, 'alt+s': 'chat:submit' }, '\x1bs'],
  [
    'only a printable one sends',
    { 'ctrl+x ctrl+s': null, 'ctrl+x enter': null, enter: null, y: 'chat:submit' },
    undefined,
  ],
  ['only Enter sends', { 'ctrl+x ctrl+s': null, 'ctrl+x enter': null }, '\r'],
  ['nothing sends', { 'ctrl+x ctrl+s': null, 'ctrl+x enter': null, enter: null }, undefined],
  [
    'what sends no terminal can send',
    { 'ctrl+x ctrl+s': null, 'ctrl+x enter': null, enter: null, 'cmd+enter': 'chat:submit' },
    undefined,
  ],
])('where %s, that is the key', (_, bindings, submit) => {
  expect(keys(bindings).submit).toBe(submit);
});

test('bindings of other contexts, and files that are broken, change nothing', () => {
  const usual = promptKeys(keyBindings('{}', undefined));
  for (const text of [
    file({ 'ctrl+x ctrl+s': null }, 'Global'),
    '{"bindings":',
    '[]',
    '{"bindings":{}}',
    'null',
  ])
    expect(promptKeys(keyBindings(text, undefined))).toEqual(usual);
});

test('a release without the chords is sent to with Enter', () => {
  expect(keys({}, '2.1.272').submit).toBe('\r');
  expect(keys({}, '2.1.275').submit).toBe('\x18\x13');
});

test.each<[Bound, string | undefined]>([
  [{}, '\x07'],
  [{ 'ctrl+g': null }, '\x18\x05'],
  [{ 'ctrl+g': null, 'ctrl+x ctrl+e': null }, undefined],
])('with %j the editor opens at %j', (bindings, editor) => {
  expect(keys(bindings).editor).toBe(editor);
});

test('what sends is never something that a dialog takes for an answer, unless nothing else does', () => {
  const stroke = fc.constantFrom(
    'enter',
    'y',
    '1',
    'space',
    'tab',
    'esc',
    'up',
    'ctrl+s',
    'alt+y',
    'ctrl+j',
    'ctrl+x',
    'ctrl+o',
  );
  const chord = fc.array(stroke, { minLength: 1, maxLength: 2 }).map((all) => all.join(' '));
  const action = fc.constantFrom('chat:submit', 'chat:sendNow', 'chat:queueSubmit', 'chat:newline', null);
  fc.assert(
    fc.property(fc.dictionary(chord, action), (bindings) => {
      const { submit = '' } = keys(bindings);
      expect(submit).toMatch(/^(?:[^ -~\t\n\r\x1b]|\x1b[a-z])*$|\r$/);
    }),
  );
});
