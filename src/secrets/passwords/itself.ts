/** `password123`, `mypassword1`, `my-password`: they keep nothing. A year behind it makes a password of it. */
const itself =
  /^(?:(?:my|your|the|new|old|test|secret)[-_]?){0,3}(?:(?:pass(?:word|wort|wd)?|kennwort|secret|test)[-_]?){1,3}(?:\d{0,2}|123\d{0,7})$/i;

export const isItself = (value: string): boolean => itself.test(value);
