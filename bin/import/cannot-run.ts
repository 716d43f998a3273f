/** Why an import did not start or did not finish, as a message for the operator. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
