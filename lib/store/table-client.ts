import type {
  BatchExecuteStatementInput,
  BatchExecuteStatementOutput,
  BatchGetItemInput,
  BatchGetItemOutput,
  QueryInput,
  QueryOutput,
  ScanInput,
  ScanOutput,
  TransactWriteItemsInput,
  TransactWriteItemsOutput,
  UpdateItemInput,
  UpdateItemOutput,
} from '@aws-sdk/client-dynamodb';
import { JsonClient } from './json-client.ts';
import type { Access } from './signed-requests.ts';

/** The operations of DynamoDB that the service uses, with item values as in `attribute-values.ts`. */
export type Operations = {
  BatchExecuteStatement: [BatchExecuteStatementInput, BatchExecuteStatementOutput];
  BatchGetItem: [BatchGetItemInput, BatchGetItemOutput];
  Query: [QueryInput, QueryOutput];
  Scan: [ScanInput, ScanOutput];
  TransactWriteItems: [TransactWriteItemsInput, TransactWriteItemsOutput];
  UpdateItem: [UpdateItemInput, UpdateItemOutput];
};
export type Operation = keyof Operations;
export type InputOf<K extends Operation> = Operations[K][0];
export type OutputOf<K extends Operation> = Operations[K][1];

/** Sends requests to DynamoDB, once each. `dynamodb.ts` retries. */
export class TableClient extends JsonClient<Operations> {
  constructor(access: Access) {
    super({ name: 'dynamodb', target: 'DynamoDB_20120810', version: '1.0' }, access);
  }
}
