// Times as the user's clock shows them: notes of a day are of the day that he lived.

const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-23` */
export const localDate = (at: Date): string =>
  `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/** `14:05` */
export const localTime = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}`;
