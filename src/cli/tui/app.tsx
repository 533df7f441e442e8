// The Ink side: input becomes messages, the model becomes rows. Every row is one text, drawn again only when it changed.
import { Box, Text, useApp, useCursor, useInput, usePaste, useWindowSize } from 'ink';
import { memo, useEffect, useSyncExternalStore } from 'react';
import { keyNames } from './keys/key-names.ts';
import type { Store } from './model/store.ts';
import { type Part, screen } from './terminal/screen.ts';
import type { Line } from './text/line.ts';
import { type Palette, paint } from './text/paint.ts';

/** An empty text would take no row at all. */
const Row = memo(({ text }: { text: string }) => <Text wrap="truncate">{text === '' ? ' ' : text}</Text>);

/** A row is its place on the screen: it has no other identity. */
function Rows({ lines, palette }: { lines: readonly Line[]; palette: Palette }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return lines.map((line, at) => <Row key={at} text={paint(line, palette)} />);
}

function Region({ part, palette }: { part: Part; palette: Palette }) {
  if (part.kind === 'rows') return <Rows lines={part.lines} palette={palette} />;
  const [left, right] = part.widths;
  const rule = ['┬', ...Array.from({ length: part.left.length - 1 }, () => '│')].join('\n');
  return (
    <Box height={part.left.length}>
      <Box flexDirection="column" width={left}>
        <Rows lines={part.left} palette={palette} />
      </Box>
      <Text dimColor={palette === 'coloured'}>{rule}</Text>
      <Box flexDirection="column" width={right}>
        <Rows lines={part.right} palette={palette} />
      </Box>
    </Box>
  );
}

/** Filled by the app while it is there: hands the terminal to somebody else until the promise is done. */
export interface Suspend {
  current: ((meanwhile: () => Promise<void>) => Promise<void>) | undefined;
}

interface AppProps {
  store: Store;
  suspend: Suspend;
  palette: Palette;
}

export function App({ store, suspend, palette }: AppProps) {
  const { suspendTerminal } = useApp();
  useEffect(() => {
    suspend.current = (meanwhile) => suspendTerminal(meanwhile);
    return () => {
      suspend.current = undefined;
    };
  }, [suspend, suspendTerminal]);
  const model = useSyncExternalStore(store.subscribe, store.snapshot);
  const { columns, rows } = useWindowSize();
  const { setCursorPosition } = useCursor();
  useEffect(() => store.act({ type: 'resize', size: { columns, rows } }), [store, columns, rows]);
  useInput((input, key) => {
    for (const { name, text } of keyNames(input, key)) store.act({ type: 'key', name, text });
  });
  usePaste((text) => store.act({ type: 'paste', text }));
  const { parts, height, cursor } = screen(model);
  setCursorPosition(cursor);
  return (
    <Box flexDirection="column" width={model.size.columns} height={height}>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts are title, panes and status, always in this order
        <Region key={at} part={part} palette={palette} />
      ))}
    </Box>
  );
}
