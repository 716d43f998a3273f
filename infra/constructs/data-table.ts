import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { type IndexName, table } from '../../lib/store/table.ts';

const key = (name: string) => ({ name, type: AttributeType.STRING });

/** The one table, as `lib/store/table.ts` says it, or one that was restored from its backups. */
export class DataTable extends Construct {
  readonly name: string;
  readonly arn: string;

  /** @param restored name of a table to use instead of making one. */
  constructor(scope: Construct, id: string, restored?: string) {
    super(scope, id);
    this.name = restored ?? this.#create().tableName;
    this.arn = Stack.of(this).formatArn({ service: 'dynamodb', resource: 'table', resourceName: this.name });
  }

  indexArn(name: IndexName): string {
    return `${this.arn}/index/${table.indexes[name].name}`;
  }

  /** Of the table itself; its indexes have their own. */
  metric(metricName: string, options: MetricOptions): Metric {
    return new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: this.name },
      ...options,
    });
  }

  #create(): TableV2 {
    return new TableV2(this, 'Table', {
      partitionKey: key(table.partitionKey),
      sortKey: key(table.sortKey),
      timeToLiveAttribute: table.timeToLive,
      billing: Billing.onDemand(),
      // The account's own aws/dynamodb key instead of one that AWS keeps out of sight: its use stands in CloudTrail,
      // and it costs next to nothing. Callers need no permission on it.
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 35 },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
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
