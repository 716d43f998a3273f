import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { shortRequests } from './connections.ts';

/** Sends each request once: `retrying.ts` retries, because it also sends again the parts that DynamoDB left undone. */
export const tableClient = (config: DynamoDBClientConfig = {}): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler: shortRequests, maxAttempts: 1, ...config }), {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: exactNumber },
  });

/** @throws TypeError if the number would lose digits. The message has no stored value. */
function exactNumber(text: string): number {
  const number = Number(text);
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new TypeError('an item has a number that is too large');
  return number;
}
