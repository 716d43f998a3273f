/**
 * Timeouts of the AWS clients, in milliseconds. Without them, a request that nobody answers lasts as long as the
 * function. The request timeout ends with the head of the response; the socket timeout watches over its body.
 */
const timeouts = { connectionTimeout: 1000, throwOnRequestTimeout: true };

/** DynamoDB and SQS respond in milliseconds; the SDK or our own rounds try again. */
export const shortRequests = { ...timeouts, requestTimeout: 3000, socketTimeout: 3000 };

/** Receiving from a queue waits up to 20 seconds for a message; making a table takes seconds on some engines. */
export const longRequests = { ...timeouts, requestTimeout: 25_000, socketTimeout: 25_000 };

/** An object may take long to send, and a body that is read slowly leaves its socket idle: only its head has to come. */
export const objectRequests = { ...timeouts, requestTimeout: 30_000 };
