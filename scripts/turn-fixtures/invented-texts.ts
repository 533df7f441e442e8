export type Kind = 'request' | 'words' | 'name' | 'command';

const things = [
  ...[
    'kite',
    'lantern',
    'ladder',
    'kettle',
    'harbour',
    'orchard',
    'tandem',
    'compass',
    'violin',
    'weather vane',
  ],
  ...[
    'rowing boat',
    'greenhouse',
    'pocket watch',
    'clay oven',
    'sundial',
    'windmill',
    'beehive',
    'footbridge',
  ],
];
const tasks = [
  ...[
    'Paint',
    'Measure',
    'Draw',
    'Oil',
    'Weigh',
    'Label',
    'Polish',
    'Clean',
    'Describe',
    'Move',
    'Sell',
    'Test',
  ],
  ...['Borrow', 'Insure', 'Photograph', 'Wrap', 'Lend', 'Carry', 'Count', 'Sketch', 'Repair', 'Hide', 'Dust'],
];
const states = [
  ...[
    'is blue',
    'leans left',
    'is ready',
    'needs a nail',
    'creaks',
    'looks new',
    'is too short',
    'stands still',
  ],
  ...['was found', 'is dry', 'smells of tar', 'is heavy', 'has a name', 'turns'],
];
const birds = [
  ...[
    'wren',
    'heron',
    'robin',
    'plover',
    'linnet',
    'osprey',
    'martin',
    'dunlin',
    'siskin',
    'curlew',
    'avocet',
  ],
  ...['bittern', 'fulmar', 'godwit', 'hobby', 'jackdaw', 'kestrel', 'lapwing', 'merlin', 'nuthatch', 'ouzel'],
  ...[
    'pipit',
    'quail',
    'raven',
    'sparrow',
    'tern',
    'swift',
    'vireo',
    'wagtail',
    'whimbrel',
    'yellowhammer',
    'crake',
  ],
  ...[
    'dipper',
    'egret',
    'finch',
    'gannet',
    'grebe',
    'harrier',
    'ibis',
    'jay',
    'knot',
    'magpie',
    'nightjar',
    'owl',
  ],
];

const invent: Readonly<Record<Kind, (count: number) => string>> = {
  request: (count) => `${at(tasks, count)} the ${at(things, Math.floor(count / tasks.length))}.`,
  words: (count) => `The ${at(things, count)} ${at(states, Math.floor(count / things.length))}.`,
  name: (count) => at(birds, count),
  command: (count) => `date > kite-${count + 1}.txt`,
};
/** How many there are of each kind before they repeat. */
const most: Readonly<Record<Kind, number>> = {
  request: tasks.length * things.length,
  words: things.length * states.length,
  name: birds.length,
  command: Number.POSITIVE_INFINITY,
};

/** Replaces texts line by line: equal lines stay equal, whole lines in front stay in front, white space stays. */
export class InventedTexts {
  readonly #lines = new Map<string, string>();
  readonly #counts: Record<Kind, number> = { request: 0, words: 0, name: 0, command: 0 };

  text(text: string, kind: Kind): string {
    return text
      .split('\n')
      .map((line) => line.replace(/\S(?:.*\S)?/, (inner) => this.line(inner, kind)))
      .join('\n');
  }

  /** What has been put in place of `line` so far. */
  known(line: string): string | undefined {
    return this.#lines.get(line);
  }

  line(line: string, kind: Kind): string {
    // What Claude Code itself takes for a command.
    if (/^\/\w+$/.test(line)) return line;
    const known = this.#lines.get(line);
    if (known !== undefined) return known;
    const count = this.#counts[kind]++;
    const again = Math.floor(count / most[kind]);
    const invented = `${invent[kind](count % most[kind])}${again > 0 ? ` ${again + 1}` : ''}`;
    this.#lines.set(line, invented);
    return invented;
  }
}

const at = (list: readonly string[], index: number): string => list[index % list.length] ?? '';
