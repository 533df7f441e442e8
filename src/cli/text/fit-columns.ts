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
  let spare = Math.max(0, cells - needed(columns));
  const sizes = columns.map(({ min, max }, at) => {
    const given = Math.min(Math.max(0, Math.min(wanted[at] ?? 0, max) - min), spare);
    spare -= given;
    return min + given;
  });
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
  let spare = cells - least.reduce((sum, width) => sum + width + columnGap, -columnGap);
  const order = [...columns.keys()].sort((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0));
  const sizes = [...least];
  for (const at of order) {
    const given = Math.min(Math.max(0, needs[at] ?? 0), Math.max(0, spare));
    sizes[at] = (least[at] ?? 0) + given;
    spare -= given;
  }
  return sizes;
}
