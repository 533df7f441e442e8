import type { BridgeStatus, GatewayStatus } from '../../../domain/views/control.ts';
import { safeLine } from '../../output/safe.ts';
import { clip, clipMiddle } from '../../text/width.ts';
import type { Link } from '../bridge/bridge-port.ts';
import type { Model } from '../model/model.ts';
import { sessionRows, waitingAsks } from '../model/rows.ts';
import { boards } from '../nodes/nodes.ts';
import { type Line, lineWidth, type Span, span, spread } from '../text/line.ts';

function linkSpans(link: Link, now: number): Span[] {
  switch (link.name) {
    case 'live':
      return [span('● live', 'good')];
    case 'connecting':
      return [span('◇ connecting', 'busy')];
    case 'lost': {
      const seconds = Math.max(0, Math.ceil((link.retryAt - now) / 1000));
      return [span('○ bridge gone', 'bad'), span(`, retry in ${seconds}s`, 'dim')];
    }
    default:
      return link satisfies never;
  }
}

/** For the names of machines that are away, so that 80 columns have room for the rest. */
const awayCells = 14;

/** Whether the other machines are there: how many, or which are not. Nobody knows while the bridge here is gone. */
function nodeSpans({ here, nodes }: Model): Span[] {
  if (!nodes || here.link.name !== 'live') return [];
  if (nodes.cutOff) return [span('  ○ others out of reach', 'bad')];
  const away = [...nodes.others].flatMap(([node, { link }]) => (link.name === 'lost' ? [node] : []));
  if (away.length === 0) return [span(`  ${counted(nodes.others.size + 1, 'node')}`, 'plain')];
  const names = safeLine(away.join(', '));
  const who = away.length > 1 && names.length > awayCells ? `${away.length} nodes` : clip(names, awayCells);
  return [span(`  ○ ${who} away`, 'bad')];
}

/** What each bridge that is there says of itself, the one here first. */
const statuses = (model: Model): { status: BridgeStatus; on: string }[] =>
  boards(model).flatMap(([node, { link, status }], at) =>
    link.name === 'live' && status ? [{ status, on: at === 0 ? '' : ` on ${node}` }] : [],
  );

/** How the connections to gateways of one kind are: nothing without one, the first that is away otherwise. */
function gatewaySpans(model: Model, kind: GatewayStatus['kind'], name: string): Span[] {
  const connections = statuses(model)
    .flatMap(({ status }) => status.connections ?? [])
    .filter((each) => each.kind === kind);
  if (connections.length === 0) return [];
  const away = connections.filter(({ state }) => state !== 'connected');
  const worst = away[0];
  if (!worst) return [span(`  ${name} `), span('●', 'good')];
  const count = away.length > 1 ? ` (${away.length})` : '';
  return [span(`  ${name} `), span(`○ ${worst.state}${count}`, 'bad')];
}

/** `unavail…` can still be read. */
const leastCells = 7;

/** How the providers of tools are: nothing without one, the first that is unwell otherwise. */
function toolSpans(model: Model, room: number): Span[] {
  // A bridge of an older release has none.
  const providers = statuses(model).flatMap(({ status, on }) =>
    (status.providers ?? []).map((each) => ({ ...each, on })),
  );
  if (providers.length === 0) return [];
  const unwell = providers.find(({ status }) => status !== 'healthy');
  const label = '  tools ';
  if (!unwell) return [span(label), span('ok', 'good')];
  const { status } = unwell;
  // A long name gives way to what is the matter, as far as that is needed to tell it.
  const nameRoom = Math.max(leastCells, room - label.length - 1 - leastCells - 1);
  const name = clipMiddle(safeLine(unwell.provider + unwell.on), nameRoom);
  return [span(label), span(`${name} ${status}`, status === 'degraded' ? 'warn' : 'bad')];
}

const isWell = (spans: readonly Span[]): boolean =>
  spans.every(({ tone }) => tone === 'plain' || tone === 'good');

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The first row: which bridge, whether it is there, how much goes on. */
export function titleBar(model: Model, cells: number): Line {
  const rows = sessionRows(model);
  const working = rows.filter(({ state }) => state === 'working').length;
  const waiting = waitingAsks(model).length;
  const { status, link } = model.here;
  const place = status && link.name === 'live' ? `  ${safeLine(status.url.replace(/^https?:\/\//, ''))}` : '';
  // What is seen of the demo's bridge is real for nobody.
  const name = status?.version === 'demo' ? ' synthesis demo' : ' synthesis';
  const begin: Line = [span(name, 'strong'), span('  '), ...linkSpans(link, model.now), ...nodeSpans(model)];
  const counts: Line[] = [
    [span(counted(rows.length, 'session'), 'plain'), span(' · ', 'dim')],
    [span(`${working} working`, working > 0 ? 'busy' : 'dim'), span(' · ', 'dim')],
    [span(`${waiting} to answer `, waiting > 0 ? 'warn' : 'dim')],
  ];
  // Whether the bridge is there comes before how much goes on, and what waits for somebody before the rest of that.
  while (counts.length > 0 && lineWidth([...begin, ...counts.flat()]) >= cells) counts.shift();
  const right = counts.flat();
  const gateways = [gatewaySpans(model, 'openclaw', 'openclaw'), gatewaySpans(model, 'agp', 'wechat')];
  const away = gateways.filter((spans) => !isWell(spans)).flat();
  const tools = toolSpans(model, cells - lineWidth([...begin, ...away, ...right]));
  // What is unwell before the rest: on a narrow screen the end is cut. A part of the address is of no use to anybody.
  const well = [...gateways, tools].filter(isWell).flat();
  const left: Line = [...begin, ...away, ...(isWell(tools) ? [] : tools), ...well];
  const whole = [...left, span(place, 'dim')];
  return spread(lineWidth([...whole, ...right]) < cells ? whole : left, right, cells);
}
