/** Why the service cannot start. Printed as one line without a stack trace, which would not help the operator. */
export class StartFailure extends Error {}
