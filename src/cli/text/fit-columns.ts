// Which columns there is room for, and how wide each is: the least important ones go first when the room is small, the
// rest of it goes to those that grow.

export interface ColumnSize {
  /** Least and greatest width, cells. */
  min: number;
  max: number;
  /** Columns with the highest number are left out first, of equal ones the last; 0 always stays. */
  rank: number;
  /** Takes whatever room is left. */
  grows?: true;
}

/** Cells between two columns. */
export const columnGap = 2;

const needed = (columns: readonly ColumnSize[]): number =>
  columns.reduce((sum, { min }) => sum + min + columnGap, -columnGap);

/** @returns the columns that fit into `cells`, in their order */
export function fittingColumns<C extends ColumnSize>(columns: readonly C[], cells: number): C[] {
  const left = [...columns];
  while (left.length > 1 && needed(left) > cells) {
    const worst = Math.max(...left.map(({ rank }) => rank));
    if (worst === 0) break;
    left.splice(
      left.findLastIndex(({ rank }) => rank === worst),
      1,
    );
  }
  return left;
}

/**
 * Widths that the contents ask for, within the room, the first columns served first.
 * @param wanted cells of the widest content of each column, its title included
 */
export function columnWidths(
  columns: readonly ColumnSize[],
  wanted: readonly number[],
  cells: number,
): number[] {
  const least = columns.map(({ min }) => min);
  const { sizes, spare } = served(columns, wanted, cells, least, [...columns.keys()]);
  return sizes.map((size, at) => (columns[at]?.grows ? size + spare : size));
}

/**
 * The same for a list that is printed once, whose columns need not stay where they are: none is wider than what it says, and
 * whoever needs least is served first, so that a long text is cut and not a short one beside it.
 */
export function tightWidths(
  columns: readonly ColumnSize[],
  wanted: readonly number[],
  cells: number,
): number[] {
  const least = columns.map(({ min }, at) => Math.min(min, wanted[at] ?? 0));
  const needs = columns.map(({ max }, at) => Math.min(wanted[at] ?? 0, max) - (least[at] ?? 0));
  const order = [...columns.keys()].sort((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0));
  return served(columns, wanted, cells, least, order).sizes;
}

/** @param order in which columns get of the room what they want beyond their least */
function served(
  columns: readonly ColumnSize[],
  wanted: readonly number[],
  cells: number,
  least: readonly number[],
  order: readonly number[],
): { sizes: number[]; spare: number } {
  const sizes = [...least];
  let spare = Math.max(0, cells - least.reduce((sum, width) => sum + width + columnGap, -columnGap));
  for (const at of order) {
    const [size = 0, max = 0] = [least[at], columns[at]?.max];
    const given = Math.min(Math.max(0, Math.min(wanted[at] ?? 0, max) - size), spare);
    sizes[at] = size + given;
    spare -= given;
  }
  return { sizes, spare };
}
