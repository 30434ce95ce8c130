/** A page of a verification was asked for by a browser that has not opened its link, or not lately. */
export class SessionNeeded extends Error {
  override readonly name = 'SessionNeeded';

  constructor() {
    super('No session for this verification');
  }
}
