import { type DynamoDBDocumentClient, ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Item } from '../../../lib/store/database.ts';
import { teamPartition } from '../../../lib/store/keys.ts';
import { defaultBackoff, retrying } from '../../../lib/store/retrying.ts';
import { itemReader } from '../../../lib/store/stored-item.ts';

const scanned: (item: unknown) => Item = itemReader('item', z.looseObject({ pk: z.string(), sk: z.string() }));

/**
 * All items of the team, unsorted, one page of the table at a time. It reads the whole table, because accounts without a
 * link are in no index. Only for administrators.
 */
export async function* scanTeam(
  client: DynamoDBDocumentClient,
  tableName: string,
  teamId: string,
): AsyncGenerator<Item[]> {
  let start: Record<string, unknown> | undefined;
  do {
    const input: ScanCommandInput = {
      TableName: tableName,
      ConsistentRead: true,
      FilterExpression: 'pk = :team OR begins_with(pk, :prefix)',
      ExpressionAttributeValues: { ':team': teamPartition(teamId), ':prefix': `${teamPartition(teamId)}#` },
      ...(start ? { ExclusiveStartKey: start } : {}),
    };
    const page = await retrying('scan on the table', defaultBackoff)(() => client.send(new ScanCommand(input)));
    yield (page.Items ?? []).map((item) => scanned(item));
    start = page.LastEvaluatedKey;
  } while (start);
}
