/** The first of `count` lines to show in `room` rows so that line `at` stands among them, in the middle if it can. */
export function centred(count: number, room: number, at: number): number {
  return Math.max(0, Math.min(at - Math.floor(room / 2), count - room));
}

/** A first line that shows as much as there is. */
export const clampTop = (top: number, count: number, room: number): number =>
  Math.max(0, Math.min(top, count - room));
