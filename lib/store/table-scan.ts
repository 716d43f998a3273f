import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Item } from './database.ts';
import { failureOf } from './errors.ts';
import { teamPartition } from './keys.ts';
import { itemReader } from './stored-item.ts';

const scanned: (item: unknown) => Item = itemReader('item', z.looseObject({ pk: z.string(), sk: z.string() }));

/**
 * Every item of the team, in no order, a page of the table at a time. It reads the whole table: accounts that no link
 * names are in no index. For the administrator alone.
 */
export async function* scanTeam(client: DynamoDBClient, tableName: string, teamId: string): AsyncGenerator<Item[]> {
  const documents = DynamoDBDocumentClient.from(client);
  let start: Record<string, unknown> | undefined;
  do {
    const command = new ScanCommand({
      TableName: tableName,
      ConsistentRead: true,
      FilterExpression: 'pk = :team OR begins_with(pk, :prefix)',
      ExpressionAttributeValues: { ':team': teamPartition(teamId), ':prefix': `${teamPartition(teamId)}#` },
      ...(start ? { ExclusiveStartKey: start } : {}),
    });
    const page = await documents.send(command).catch((error) => {
      throw failureOf(error, 'the table did not give its items');
    });
    yield (page.Items ?? []).map(scanned);
    start = page.LastEvaluatedKey;
  } while (start);
}
