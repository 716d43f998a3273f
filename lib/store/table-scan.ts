import * as z from 'zod';
import { type AttributeMap, attributeMap, nativeMap } from './attribute-values.ts';
import type { Item } from './database.ts';
import { teamPartition } from './keys.ts';
import { defaultBackoff, retrying } from './retrying.ts';
import { itemReader } from './stored-item.ts';
import type { TableClient } from './table-client.ts';

const scanned: (item: unknown) => Item = itemReader('item', z.looseObject({ pk: z.string(), sk: z.string() }));

/**
 * All items of the team, unsorted, one page of the table at a time. It reads the whole table, because accounts without a
 * link are in no index. Only for administrators.
 */
export async function* scanTeam(client: TableClient, tableName: string, teamId: string): AsyncGenerator<Item[]> {
  let start: AttributeMap | undefined;
  do {
    const input = {
      TableName: tableName,
      ConsistentRead: true,
      FilterExpression: 'pk = :team OR begins_with(pk, :prefix)',
      ExpressionAttributeValues: attributeMap({
        ':team': teamPartition(teamId),
        ':prefix': `${teamPartition(teamId)}#`,
      }),
      ...(start ? { ExclusiveStartKey: start } : {}),
    };
    const page = await retrying('scan', defaultBackoff)(() => client.send('Scan', input));
    yield (page.Items ?? []).map((item) => scanned(nativeMap(item)));
    start = page.LastEvaluatedKey;
  } while (start);
}
