/** A session is not kept from here any more, as another machine has it or may have it: what waited for that is over. */
export class NotKeptError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
