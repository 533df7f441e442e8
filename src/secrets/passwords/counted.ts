/** What manuals count to, and one digit again and again. */
const counted = /^0?1234(?:56?|5678?|567890?)?$|^(\d)\1+$|^(?:4321|654321)$/;

export const isCounted = (value: string): boolean => counted.test(value);
