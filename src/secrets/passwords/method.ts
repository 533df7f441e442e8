/** Names of methods and types that have a number in them. */
const methods =
  /^(?:sha-?\d+|md5|base(?:16|32|58|64)(?:url)?|utf-?(?:8|16)|oauth-?2?(?:\.0)?|argon2\w*|bcrypt\d*|pbkdf2|scrypt|hs256|rs256|es256|ed25519|aes-?\d\S*|x\.?509|http2?|v\d[\d.]*|u?int\d+|ipv[46]|mp[34]|[a-z]?\d{1,3}%)$/i;

export const isMethod = (value: string): boolean => methods.test(value);
