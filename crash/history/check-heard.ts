// What Claude wrote down by itself, in its transcript, and what the journal has heard of it by its hooks: each of them once.
import type { Finding } from './check.ts';
import type { Evidence, Row, Told } from './evidence.ts';

type Event = Row['event'];

export function* heardRules({ told, rows }: Evidence): Generator<Finding> {
  if (!told) return;
  const events = rows.map(({ event }) => event);
  for (const each of told) {
    const began = events.filter(({ type, prompt }) => type === 'turn.running' && prompt === each.prompt);
    yield once(`the beginning of prompt ${each.prompt}`, began.length);
    const turn = began[0]?.turn;
    if (turn !== undefined)
      yield* heardOf(
        each,
        events.filter((event) => event.turn === turn),
      );
    yield* heardOfCalls(each, events);
  }
  for (const [session, of] of Map.groupBy(rows, (row) => row.session)) {
    const count = (what: (event: Event) => boolean) => of.filter(({ event }) => what(event)).length;
    const starts = count(({ type }) => type === 'agent.ready');
    // What was typed by half cannot be told from what is in the box otherwise: its sender reads so, and the box is left.
    const failed = count(({ type, outcome }) => type === 'turn.settled' && outcome === 'failed');
    yield {
      rule: 'replaced',
      words: starts > 1 + failed ? `${session} had ${starts} Claude Codes` : undefined,
    };
  }
}

/** @param events of its turn */
function* heardOf({ prompt, texts }: Told, events: readonly Event[]): Generator<Finding> {
  const isStop = ({ type, outcome }: Event) => type === 'turn.settled' && outcome === 'completed';
  yield once(`the Stop of prompt ${prompt}`, events.filter(isStop).length);
  const batches = events.filter(({ type }) => type === 'answer.delta');
  const messages = [...Map.groupBy(batches, ({ message }) => message).values()];
  const isDoubled = messages.some(
    (message) => new Set(message.map(({ index }) => index)).size < message.length,
  );
  yield { rule: 'heard twice', words: isDoubled ? `a batch of prompt ${prompt}` : undefined };
  if (isDoubled) return;
  const heard = messages.map((message) =>
    message
      .toSorted((a, b) => Number(a.index) - Number(b.index))
      .map(({ text }) => text)
      .join(''),
  );
  const [wanted, found] = [JSON.stringify(texts), JSON.stringify(heard)];
  const words = wanted === found ? undefined : `of prompt ${prompt} ${wanted} was said, ${found} is there`;
  yield { rule: 'unheard', words };
}

function* heardOfCalls({ calls }: Told, events: readonly Event[]): Generator<Finding> {
  for (const { id, input, ok } of calls) {
    const about = events.filter((event) => event.tool_use === id);
    const count = (what: (event: Event) => boolean) => about.filter(what).length;
    yield once(
      `the beginning of call ${id}`,
      count(({ phase }) => phase === 'started'),
    );
    const asked = events.filter(
      ({ type, tool_use, input: shown }) =>
        type === 'permission.asked' &&
        // A bridge that did not hear of the call before does not know its name.
        (tool_use === id || (tool_use === undefined && JSON.stringify(shown) === input)),
    );
    yield once(`the question about call ${id}`, asked.length);
    if (ok)
      yield once(
        `the end of call ${id}`,
        count(({ phase }) => phase === 'succeeded'),
      );
  }
}

const once = (what: string, times: number): Finding => ({
  rule: times > 1 ? 'heard twice' : 'unheard',
  words: times === 1 ? undefined : `${what} is in the journal ${times} times`,
});
