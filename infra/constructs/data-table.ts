import { createHash } from 'node:crypto';
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { type IndexName, table } from '../../lib/store/table/table.ts';
import type { Deployment } from './deployment.ts';

const key = (name: string) => ({ name, type: AttributeType.STRING });

/** The table that `lib/store/table/table.ts` defines, or an existing table that was restored from a backup. */
export class DataTable extends Construct {
  readonly name: string;
  readonly arn: string;
  readonly streamArn: string;
  /** Differs for each restored table. Empty for the table that the stack made. */
  readonly eventEpoch: string;

  constructor(scope: Construct, id: string, deployment: Deployment) {
    super(scope, id);
    const { restoredTable, restoredStream } = deployment.settings;
    const made = restoredTable === undefined ? this.#create(deployment) : undefined;
    this.name = restoredTable ?? made!.tableName;
    this.streamArn = restoredStream ?? made!.tableStreamArn!;
    this.eventEpoch =
      restoredTable === undefined ? '' : createHash('sha256').update(restoredTable).digest('hex').slice(0, 16);
    this.arn = Stack.of(this).formatArn({ service: 'dynamodb', resource: 'table', resourceName: this.name });
  }

  indexArn(name: IndexName): string {
    return `${this.arn}/index/${table.indexes[name].name}`;
  }

  /** A metric of the table itself, or of an index, which has metrics of its own. */
  metric(metricName: string, options: MetricOptions, index?: IndexName): Metric {
    return new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: {
        TableName: this.name,
        ...(index ? { GlobalSecondaryIndexName: table.indexes[index].name } : {}),
      },
      ...options,
    });
  }

  #create({ settings: { backups, removal }, key: encryptionKey }: Deployment): TableV2 {
    return new TableV2(this, 'Table', {
      partitionKey: key(table.partitionKey),
      sortKey: key(table.sortKey),
      timeToLiveAttribute: table.timeToLive,
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      billing: Billing.onDemand(),
      // Without a key, the AWS managed key aws/dynamodb instead of one that AWS owns: CloudTrail records its use, and
      // the cost is negligible. Callers need no permission for it.
      encryption: encryptionKey
        ? TableEncryptionV2.customerManagedKey(encryptionKey)
        : TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: backups.pointInTimeDays,
      },
      deletionProtection: removal.data === 'retain',
      // Not deleted with a creation that failed either: CloudFormation cannot delete a protected table.
      removalPolicy: removal.data === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      globalSecondaryIndexes: Object.values(table.indexes).map((index) => ({
        indexName: index.name,
        partitionKey: key(index.partitionKey),
        sortKey: key(index.sortKey),
        ...(index.projected.length > 0
          ? { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.projected] }
          : { projectionType: ProjectionType.KEYS_ONLY }),
      })),
    });
  }
}
