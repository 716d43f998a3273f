/** The rehearsal cannot run here. The message is for the operator. */
export class CannotRun extends Error {}
