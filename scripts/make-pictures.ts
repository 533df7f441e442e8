// Takes the pictures of the guides: `node scripts/make-pictures.ts` runs the built program in a real terminal, with a
// bridge and simulated Claudes behind it, through its main states, and writes what it shows to docs/pictures.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Home, type RunningBridge } from '../test/e2e/support/program.ts';
import { keys, Tui } from '../test/e2e/support/tui.ts';
import { until } from '../test/support/until.ts';
import { Steady } from './steady.ts';
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
      'Who reads that table besides the search:',
      '',
      '- the nightly export, all of it, once',
      '- the mobile app, titles only',
      '- the recent list, by date',
      '',
      'None of them would be slower for it. Writing a note takes 0.2 ms more,',
      'which nobody will notice: there are about forty a day.',
      '',
      'What I would do, in this order:',
      '',
      '1. add the index, in a migration of its own',
      '2. ask the planner whether it is used',
      '3. keep the old query behind a flag for one release',
    ].join('|')}]] [[wait:60000]] [[say:${['I can begin with the first.'].join('|')}]]`,
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

const steady = new Steady();

async function take(tui: Tui, name: string, title: string): Promise<void> {
  await until('a whole picture', () => tui.raw.endsWith('\x1b[?2026l'));
  await new Promise<void>((drawn) => tui.terminal.write('', drawn));
  for (const [, code = ''] of tui.screen.matchAll(/you: (\w{5})\b|(\w{5}) allowed/g))
    if (code !== '') steady.code(code);
  writeFileSync(join(pictures, `${name}.svg`), steady.picture(terminalSvg(tui.terminal, title)));
  console.log(`${name}.svg  ${tui.terminal.cols}x${tui.terminal.rows}`);
}

async function becomes(tui: Tui, rows: number): Promise<void> {
  tui.resize(168, rows);
  // A smaller terminal keeps its last rows by itself: the first one tells that it was drawn.
  const isDrawn = () => tui.rows[0]?.includes('synthesis') && tui.rows[rows - 2]?.includes('q quit');
  await until('the picture in the new size', isDrawn);
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
/** Where frames are seen: not so high that they reach back to two events that may come in either order. */
const lower = 33;
const full = 44;
/** Where every key has room. */
const highest = 54;
const attach = (columns: number, rows: number) =>
  new Tui(['attach', '--state-dir', home.state], home.env({ TZ: 'UTC' }), columns, rows);

await using wide = attach(168, lower);
await using small = attach(80, 24);
await wide.shows('No sessions yet');
// One after the other: the frames stand in the same order each time.
says(bridge, chats.web, 'Where are my notes of this month?');
await wide.shows(/1 session · 0 working/, 20_000);
says(bridge, chats.family, 'What do I need for dinner?');
await wide.shows(/2 sessions · 0 working/, 20_000);
says(bridge, chats.alice, 'Is everything ready for the release?');
await wide.shows('1 to answer', 20_000);
says(bridge, chats.team, 'Why is the search so slow since last week?');
await wide.shows('a title that does not', 20_000);
says(bridge, chats.team, 'And can we have it before Friday?');
// Who asks stands first, then who works.
wide.type(keys.home + keys.down);
await wide.shows('whether it is used', 20_000);
await take(wide, 'overview', 'synthesis attach');

small.type(keys.home);
await small.shows('Nothing breaks an interface');
await take(small, 'small', 'synthesis attach — 80 × 24');

await becomes(wide, full);
wide.type(keys.up);
wide.type('p');
await wide.shows('allow once');
await take(wide, 'permission', 'synthesis attach — p: a permission request');
wide.type('a');
await wide.shows('Allow it this once?');
wide.type('\u0019');
await wide.shows('Say the word and I publish.');

wide.type('3');
wide.type('/permission\r');
await wide.shows('/permission');
wide.type(keys.up + keys.up);
wide.type(keys.enter);
await wide.shows('"verdict"');
await take(wide, 'frame', 'synthesis attach — Enter: a frame, whole');
await closes(wide, '"verdict"');
await closes(wide, '/permission');
await becomes(wide, lower);
wide.type('1');
wide.type('m');
await wide.shows('Message to');
wide.type('Publish it, please.\nAnd tell the team');
await wide.shows('tell the team');
await take(wide, 'message', 'synthesis attach — m: a message');
await closes(wide, 'Message to');
await becomes(wide, highest);
wide.type('?');
await wide.shows('While text is typed');
await take(wide, 'help', 'synthesis attach — ?: every key');
await closes(wide, 'While text is typed');
await becomes(wide, full);
wide.type('i');
await wide.shows('Claude session');
await take(wide, 'session', 'synthesis attach — i: a session');

// Killed: whoever is asked to end ends its sessions first, in any order.
await bridge.kill();
await small.shows('bridge gone');
await take(small, 'bridge-gone', 'synthesis attach — the bridge restarts');
bridge = await home.up({ env });
await small.shows('● live');
for (const tui of [wide, small]) tui.type('q');
