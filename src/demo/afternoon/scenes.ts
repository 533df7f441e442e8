// What happens in the simulated afternoon: who writes what and when, and what Claude does with it. A tool may be denied, so
// that nothing that is said after one takes its result for granted.
import { join } from 'node:path';

/** Keys as OpenClaw makes them. What is asked in a group waits for the operator; in a direct chat it may answer itself. */
export const chats = {
  team: 'agent:main:discord:channel:100200',
  alice: 'agent:main:telegram:direct:4242',
  shop: 'agent:main:slack:direct:u0300',
  family: 'agent:main:wechat:group:4711',
} as const;

export interface Scene {
  /** From the beginning of the round, ms. */
  at: number;
  chat: keyof typeof chats;
  does:
    | {
        says: string;
        /** In the language of the simulated Claude. */
        answer: string;
      }
    /** To the question that this chat was asked last. */
    | { answers: 'yes' | 'no' };
}

const hours = (weekdays: string) =>
  ['# Opening hours', '', `Monday to Friday ${weekdays}`, 'Saturday 10:00 to 14:00', ''].join('\n');

const change = (folder: string, weekdays: string) =>
  `[[tool:Write ${JSON.stringify({ file_path: join(folder, 'opening-hours.md'), content: hours(weekdays) })}]]`;

/** What lies in the folder that the sessions work in, by name. */
export const files: Readonly<Record<string, string>> = {
  'opening-hours.md': hours('10:00 to 18:00'),
  'orders.csv': ['order,city', '1001,Berlin', '1002,Hamburg', '1003,Berlin', ''].join('\n'),
  'release.sh': 'echo "version $1, 4 changes"\necho "dry run: nothing was published"\n',
};

/** In their order. @param folder the one that the sessions work in: Claude Code names files by their whole path */
export const scenesIn = (folder: string): Scene[] => [
  {
    at: 0,
    chat: 'team',
    does: {
      says: 'Why is the search so slow since last week?',
      answer: `[[say:${[
        'I measured three searches of that kind, ten times each.',
        '',
        '- a title that exists: 18 ms',
        '- a title that does not: 20 ms',
        '- any word of the text: 2.4 s, nearly all of it in one query',
        '',
        'That query reads every document: the index is on the title alone.',
        'An index on the text would take 40 MB and bring it down to 30 ms.',
        '',
        'Who reads that table besides the search:',
        '',
        '- the nightly export, all of it, once',
        '- the mobile app, titles only',
        '- the list of what is new, by date',
        '',
        'None of them would be slower. What I would do, in this order:',
        '',
        '1. add the index, in a migration of its own',
        '2. ask the planner whether it is used',
        '3. keep the old query behind a flag for one release',
      ].join('|')}]]`,
    },
  },
  {
    at: 2_000,
    chat: 'alice',
    does: {
      says: 'Is everything ready for the release?',
      answer: `[[say:${[
        'The tests are green, and the change log names four changes.',
        'Nothing breaks an interface, so that this is 1.4.0.',
        'I would try it without publishing anything:',
      ].join('|')}]][[bash:sh release.sh 1.4.0]][[say:Tell me when you want to go on.]]`,
    },
  },
  {
    at: 7_000,
    chat: 'family',
    does: {
      says: 'Do we need umbrellas for the picnic?',
      answer: '[[say:I ask the weather.]][[tool:weather {"city":"Berlin"}]][[say:That is all I know.]]',
    },
  },
  {
    at: 12_000,
    chat: 'shop',
    does: {
      says: 'How many orders came in today?',
      answer: '[[say:I count the lines.]][[bash:wc -l < orders.csv]][[say:The first line is no order.]]',
    },
  },
  { at: 24_000, chat: 'shop', does: { answers: 'yes' } },
  {
    at: 27_000,
    chat: 'family',
    does: {
      says: 'Which evening suits for dinner?',
      answer: '[[ask:Which evening suits for dinner?|Tuesday|Thursday|Saturday]][[say:I wrote that down.]]',
    },
  },
  {
    at: 32_000,
    chat: 'team',
    does: {
      says: 'Then try the index, please.',
      // A line is told once the next one has begun.
      answer:
        '[[say:I make a copy of the table first.|The copy is there. Now the index:|It]][[wait:1500]][[exit:1]]',
    },
  },
  {
    at: 40_000,
    chat: 'shop',
    does: {
      says: 'We open at 9 on weekdays now, please change the sign.',
      answer: `[[say:That is one line.]]${change(folder, '9:00 to 18:00')}`,
    },
  },
  {
    at: 46_000,
    chat: 'team',
    does: {
      says: 'Are you still there?',
      answer: `[[say:${[
        'Yes. The Claude Code that worked on it had ended;',
        'this one has read the conversation and goes on with it.',
      ].join('|')}]]`,
    },
  },
  {
    at: 60_000,
    chat: 'shop',
    does: {
      says: 'Sorry, it stays at 10.',
      answer: `[[say:As it was.]]${change(folder, '10:00 to 18:00')}`,
    },
  },
];
