/** The session of rows that are about the whole house: no conversation has an empty key. */
export const house = '';
