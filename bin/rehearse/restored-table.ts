import {
  DeleteTableCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { longRequests } from '../../lib/store/aws/connections.ts';
import { table } from '../../lib/store/table/table.ts';

/** Settings of the stack that name a restored table. */
export type RestoredTable = { restoredTable: string; restoredStream: string };

/** Restores the table under another name, with the commands of docs/deployment.md. */
export async function restoreTable(source: string): Promise<RestoredTable> {
  const client = new DynamoDBClient({ requestHandler: longRequests });
  const TableName = `${source}-restored`;
  const from = { SourceTableName: source, UseLatestRestorableTime: true };
  await client.send(new RestoreTableToPointInTimeCommand({ ...from, TargetTableName: TableName }));
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName });
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  const TimeToLiveSpecification = { Enabled: true, AttributeName: table.timeToLive };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
  const { TableDescription } = await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  return { restoredTable: TableName, restoredStream: TableDescription!.LatestStreamArn! };
}

export async function loseTable(TableName: string): Promise<void> {
  const client = new DynamoDBClient({ requestHandler: longRequests });
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await client.send(new DeleteTableCommand({ TableName }));
}
