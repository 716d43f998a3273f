/** Why the service cannot start, as one line for the person at the terminal; the stack would tell them nothing. */
export class StartFailure extends Error {}
