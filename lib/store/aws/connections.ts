/**
 * Timeouts of the AWS clients, in milliseconds. Without them, a request without a response lasts until the function's
 * own timeout. The request timeout applies until the response headers arrive; the socket timeout applies to the body.
 */
const timeouts = { connectionTimeout: 1000, throwOnRequestTimeout: true };

/** DynamoDB, SQS and Secrets Manager respond in milliseconds. Their callers retry. */
export const shortRequests = { ...timeouts, requestTimeout: 3000, socketTimeout: 3000 };

/** Receiving from a queue waits up to 20 seconds for a message; creating a table takes seconds on some engines. */
export const longRequests = { ...timeouts, requestTimeout: 25_000, socketTimeout: 25_000 };

/**
 * A large object can take long to send, and a body that is read slowly leaves its socket idle, so no socket timeout.
 */
export const objectRequests = { ...timeouts, requestTimeout: 30_000 };
