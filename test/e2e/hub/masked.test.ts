// What Claude writes goes out without secrets, with the built program and a real client of OpenAI's API.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { samples } from '../../secrets/samples.ts';
import { Home, type RunningBridge } from '../support/program.ts';

const [, token] = samples[0] as readonly [string, string];
const note = '1 secret was masked in this answer (`mask` in the configuration).';

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home[Symbol.asyncDispose]());

async function streamed(bridge: RunningBridge, session: string, content: string): Promise<string> {
  const stream = await bridge.client(session).chat.completions.create({
    model: 'claude',
    messages: [{ role: 'user', content }],
    stream: true,
  });
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  return text;
}

const says = `[[say:Look:|use ${token} for it.]]`;

test('a token and a password do not leave the bridge, and the answer says so', async () => {
  home.configure({ profiles: [{ match: 'mine', mask: 'own' }] });
  const bridge = await home.up();
  for (const answer of [await streamed(bridge, 's', says), await bridge.ask('s', says)]) {
    expect(answer).not.toContain(token);
    expect(answer).toContain('‹secret: GitHub token›');
    expect(answer).toContain(note);
  }
  expect(await bridge.ask('s', '[[say:- **Password:** zhdFJZGFTViy]]')).toContain('‹secret: password›');
  // Here they chose otherwise, but for the secrets of the bridge itself.
  expect(await bridge.ask('mine', says)).toContain(token);
  const own = await bridge.ask('mine', `[[say:It is ${bridge.token}, I think.]]`);
  expect(own).not.toContain(bridge.token);
  expect(own).toContain('It is ‹secret: known to the bridge›, I think.');
});
