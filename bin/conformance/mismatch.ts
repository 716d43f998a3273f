/** The service did not do what the check expects. The message says what it did. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}
