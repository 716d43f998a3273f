import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LocalDescription } from '../../../bin/local/description.ts';
import { tableClient } from '../../../lib/store/aws/table-client.ts';
import { DynamoDatabase, type DynamoDatabaseOptions } from '../../../lib/store/table/dynamodb.ts';

/** What the embedded engine and queue accept. */
export const localAccess = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

type Table = Pick<LocalDescription, 'dynamodb_endpoint' | 'table_name'>;

/** The table of a local service, not through its functions. */
export const localTable = (
  { dynamodb_endpoint: endpoint, table_name: tableName }: Table,
  options: Omit<DynamoDatabaseOptions, 'tableName' | 'client'> = {},
) => new DynamoDatabase({ ...options, tableName, client: tableClient({ ...localAccess, endpoint }) });

/** The SDK's client of the engine, to create tables and to read whole ones. */
export const administratorOf = (endpoint: string) => new DynamoDBClient({ ...localAccess, endpoint });
