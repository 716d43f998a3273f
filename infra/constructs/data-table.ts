import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { table } from '../../lib/store/table.ts';

const key = (name: string) => ({ name, type: AttributeType.STRING });

/** The one table, as `lib/store/table.ts` says it. */
export class DataTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.table = new TableV2(this, 'Table', {
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
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [...index.projected],
      })),
    });
  }

  get directoryIndexArn(): string {
    return `${this.table.tableArn}/index/${table.indexes.directory.name}`;
  }
}
