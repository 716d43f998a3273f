import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Item } from './database.ts';
import { failureOf } from './errors.ts';
import { teamPartition } from './keys.ts';
import { itemReader } from './stored-item.ts';

const scanned: (item: unknown) => Item = itemReader('item', z.looseObject({ pk: z.string(), sk: z.string() }));

/**
 * All items of the team, unsorted, one page of the table at a time. It reads the whole table, because accounts without a
 * link are in no index. Only for administrators.
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
      throw failureOf(error, 'the items of the table could not be read');
    });
    yield (page.Items ?? []).map(scanned);
    start = page.LastEvaluatedKey;
  } while (start);
}
