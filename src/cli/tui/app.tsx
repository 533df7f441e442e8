// The Ink side: input becomes messages, the model becomes rows. Every row is one text, drawn again only when it changed.
import { Box, Text, useApp, useCursor, useInput, usePaste, useWindowSize } from 'ink';
import { memo, useEffect, useSyncExternalStore } from 'react';
import { keyNames } from './keys/key-names.ts';
import { screen } from './screen.ts';
import type { Store } from './store.ts';
import { type Palette, paint } from './text/paint.ts';

const Row = memo(({ text }: { text: string }) => <Text wrap="truncate">{text}</Text>);

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
  const { columns, rows: height } = useWindowSize();
  const { setCursorPosition } = useCursor();
  useEffect(() => store.act({ type: 'resize', size: { columns, rows: height } }), [store, columns, height]);
  useInput((input, key) => {
    for (const { name, text } of keyNames(input, key)) store.act({ type: 'key', name, text });
  });
  usePaste((text) => store.act({ type: 'paste', text }));
  const { rows, cursor } = screen(model);
  setCursorPosition(cursor);
  // Rows have no identity of their own: the third row is the third row.
  return (
    <Box flexDirection="column" width={model.size.columns} height={rows.length}>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place on the screen
        <Row key={at} text={paint(row, palette)} />
      ))}
    </Box>
  );
}
