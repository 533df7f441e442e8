// Takes the pictures of the guides: `node scripts/make-pictures.ts` runs the built program in a real terminal, with a
// bridge and simulated Claudes behind it, through its main states, and writes what it shows to docs/pictures.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Home, type RunningBridge } from '../test/e2e/support/program.ts';
import { keys, Tui } from '../test/e2e/support/tui.ts';
import { terminalSvg } from './terminal-svg.ts';

const pictures = resolve(import.meta.dirname, '../docs/pictures');

const rules = [
  {
    when: 'release',
    answer: [
      '[[say:The suite is green on both machines, and the change log names four changes that users will notice.',
      '|Nothing breaks an interface, so this is 1.4.0. I try it without publishing first:]]',
      '[[bash:sh release.sh 1.4.0 --dry-run]]',
      '[[say:The dry run is clean. Say the word and I publish.]]',
    ].join(''),
  },
  {
    when: 'slow',
    answer: `[[say:${[
      'I measured three searches of the kind you describe, ten times each.',
      '',
      '- a title that exists: 18 ms',
      '- a title that does not: 20 ms',
      '- any text in the body: 2.4 s, nearly all of it in one query',
      '',
      'The query reads every document, because the index is on the title alone.',
      'An index on the body would be 40 MB and bring it down to about 30 ms.',
      '',
      'What I would do, in this order:',
      '',
      '1. add the index, in a migration of its own',
      '2. ask the planner whether it is used',
      '3. keep the old query behind a flag for one release',
      'I am looking at what else reads that table.',
      'The nightly export does; it is not affected.',
      'The mobile app asks for titles only.',
      'Nothing else does.',
    ].join('|')}]]`,
  },
  {
    when: 'dinner',
    answer: '[[say:For six people: 600 g of pasta, two tins of tomatoes, one bunch of basil.]]',
  },
  { when: 'notes', answer: '[[say:They are in notes/2026-11.md, newest first.]]' },
];

interface Chat {
  key: string;
  channel: string;
  name: string;
}

/** As OpenClaw writes for a chat: who says it and where stands around the text. */
function bodyOf({ key, channel, name }: Chat, text: string) {
  const fence = '```';
  const meta = {
    schema: 'openclaw.inbound_meta.v2',
    channel,
    provider: channel,
    surface: channel,
    chat_type: 'direct',
  };
  const system = [
    '<!-- openclaw:attempt:STABLE -->',
    'You are a personal assistant running inside OpenClaw.',
    '### Message Context',
    `${fence}json\n${JSON.stringify(meta)}\n${fence}`,
    '## Runtime\nCurrent model identity: synthesis/claude.\n<!-- /openclaw:attempt:DYNAMIC -->',
  ].join('\n\n');
  const sender = JSON.stringify({ sender: { id: '502', name, username: name } });
  const content = [
    `[Tue 2026-12-01 09:01 UTC] Conversation info: ⟦openclaw:ctx⟧\n${fence}json\n${sender}\n${fence}`,
    text,
    `Runtime: agent=main | session=${key} | host=box | os=Linux 6 (x64) | model=synthesis/claude | channel=${channel}`,
  ].join('\n\n');
  return [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content },
  ];
}

function says(bridge: RunningBridge, chat: Chat, text: string): void {
  const headers = {
    'x-synthesis-session': null,
    'x-openclaw-session-key': encodeURIComponent(chat.key),
    'x-openclaw-channel': chat.channel,
    'x-openclaw-sender-id': '502',
  };
  bridge
    .client('')
    .chat.completions.create({ model: 'claude', messages: bodyOf(chat, text) }, { headers })
    // The last picture is taken without the bridge.
    .catch(() => {});
}

const chats = {
  alice: { key: 'agent:main:telegram:direct:4242', channel: 'telegram', name: 'alice' },
  team: { key: 'agent:main:discord:group:100200', channel: 'discord', name: 'bob' },
  family: { key: 'agent:main:whatsapp:direct:491700', channel: 'whatsapp', name: 'carol' },
  web: { key: 'agent:main:webchat:notes', channel: 'webchat', name: 'alice' },
};

function take(tui: Tui, name: string, title: string): void {
  writeFileSync(join(pictures, `${name}.svg`), terminalSvg(tui.terminal, title));
  console.log(`${name}.svg  ${tui.terminal.cols}x${tui.terminal.rows}`);
}

/** Esc, waited for: a key right behind it would make an Alt key of both. */
async function closes(tui: Tui, text: string): Promise<void> {
  tui.type(keys.esc);
  await tui.hides(text);
}

mkdirSync(pictures, { recursive: true });
await using home = new Home();
writeFileSync(join(home.path, 'rules.json'), JSON.stringify(rules));
writeFileSync(join(home.cwd, 'release.sh'), 'echo "version $1, 4 changes"; echo "nothing was published"');
const env = { SIM_SCRIPT: join(home.path, 'rules.json'), SIM_LINE_MS: '700' };
let bridge = await home.up({ env });
const attach = (columns: number, rows: number) =>
  new Tui(['attach', '--state-dir', home.state], home.env({ TZ: 'UTC' }), columns, rows);

await using wide = attach(168, 44);
await using small = attach(80, 24);
await wide.shows('No sessions yet');
says(bridge, chats.web, 'Where are my notes of this month?');
says(bridge, chats.family, 'What do I need for dinner?');
await wide.shows(/2 sessions · 0 working/, 20_000);
says(bridge, chats.alice, 'Is everything ready for the release?');
says(bridge, chats.team, 'Why is the search so slow since last week?');
await wide.shows('1 to answer', 20_000);
says(bridge, chats.team, 'And can we have it before Friday?');
wide.type(keys.down + keys.down + keys.down);
await wide.shows('in this order', 20_000);
take(wide, 'overview', 'synthesis attach');

small.type(keys.down + keys.down);
await small.shows('Nothing breaks an interface');
take(small, 'small', 'synthesis attach — 80 × 24');

wide.type(keys.up);
wide.type('p');
await wide.shows('allow once');
take(wide, 'permission', 'synthesis attach — p: a permission request');
wide.type('a');
await wide.shows('Say the word and I publish.');

wide.type('3');
wide.type('/permission\r');
await wide.shows('/permission');
wide.type(keys.up + keys.up);
wide.type(keys.enter);
await wide.shows('"verdict"');
take(wide, 'frame', 'synthesis attach — Enter: a frame, whole');
await closes(wide, '"verdict"');
await closes(wide, '/permission');
wide.type('1');
wide.type('m');
await wide.shows('Message to');
wide.type('Publish it, please.\nAnd tell the team');
await wide.shows('tell the team');
take(wide, 'message', 'synthesis attach — m: a message');
await closes(wide, 'Message to');
wide.type('?');
await wide.shows('While text is typed');
take(wide, 'help', 'synthesis attach — ?: every key');
await closes(wide, 'While text is typed');
wide.type('i');
await wide.shows('Claude session');
take(wide, 'session', 'synthesis attach — i: a session');

await bridge.end();
await small.shows('bridge gone');
take(small, 'bridge-gone', 'synthesis attach — the bridge restarts');
bridge = await home.up({ env });
await small.shows('● live');
for (const tui of [wide, small]) tui.type('q');
