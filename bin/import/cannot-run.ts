/** Why an import did not run, or not to its end, in words for the operator. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
