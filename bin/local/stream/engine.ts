import { DatabaseSync } from 'node:sqlite';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { passesFilter, recordsPerRead, type TableStream } from './records.ts';

const index = '_stream_records_by_sequence';
/** Exactly as the engine writes it, because SQLite compares the text of an expression. */
const sequence = 'CAST(sequence_number AS INTEGER)';

function openDatabase(databasePath: string): DatabaseSync {
  const database = new DatabaseSync(databasePath, { timeout: 5000 });
  // The engine writes its log to the disk, and keeps it short.
  database.exec('PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0');
  return database;
}

/**
 * Adds an index to the file of the engine. The engine looks for the last sequence number before each write, and would
 * read all records of the stream for it.
 * @returns false if this version of the engine has another form of the stream, or does not use the index
 */
export function indexStream(databasePath: string): boolean {
  const database = openDatabase(databasePath);
  try {
    database.exec(`CREATE INDEX IF NOT EXISTS ${index} ON _stream_records(table_name, ${sequence})`);
    const lookup = `SELECT COALESCE(MAX(${sequence}), 0) + 1 FROM _stream_records WHERE table_name = ?`;
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${lookup}`).all('');
    return plan.some(({ detail }) => String(detail).includes(index));
  } catch {
    return false;
  } finally {
    database.close();
  }
}

type Row = {
  event_name: 'INSERT' | 'MODIFY' | 'REMOVE';
  keys: string;
  passes: 0 | 1;
  new_image: string | null;
  old_image: string | null;
  sequence: number;
  created_at: number;
};

/**
 * The stream of the embedded engine, in the file of its SQLite database. The API of the engine has the stream too, but
 * takes six times as long for each record, and no records are deleted by themselves.
 */
export function streamOfEngine(databasePath: string, table: { name: string; streamArn: string }): TableStream {
  const database = openDatabase(databasePath);
  database.function('passes', (sortKey) => Number(passesFilter(String(sortKey))));
  const select = database.prepare(
    `SELECT event_name, keys_json AS keys, passes, created_at, sequence,
       iif(passes, new_image, NULL) AS new_image, iif(passes, old_image, NULL) AS old_image
     FROM (SELECT *, ${sequence} AS sequence, passes(keys_json ->> '$.sk.S') AS passes FROM _stream_records
       WHERE table_name = :table AND ${sequence} > :after ORDER BY ${sequence} LIMIT ${recordsPerRead})`,
  );
  // The last record stays: the engine counts on from it.
  const remove = database.prepare(
    `DELETE FROM _stream_records WHERE table_name = :table AND ${sequence} <= :upTo
       AND ${sequence} < (SELECT MAX(${sequence}) FROM _stream_records WHERE table_name = :table)`,
  );
  return {
    shards: async () => [{ id: `shardId-00000001-${table.name}` }],
    pages: async function* (_, start) {
      let after = start ? BigInt(start.sequence) - (start.isWorked ? 0n : 1n) : 0n;
      for (;;) {
        const rows = select.all({ table: table.name, after }) as Row[];
        const last = rows.at(-1)?.sequence;
        if (last !== undefined) after = BigInt(last);
        yield {
          records: rows.filter(({ passes }) => passes).map((row) => recordOf(row, table.streamArn)),
          last: last === undefined ? undefined : String(last),
          isFull: rows.length === recordsPerRead,
        };
      }
    },
    trim: (upTo) => remove.run({ table: table.name, upTo }),
  };
}

/** The engine stores keys and images as DynamoDB writes them in JSON, which is also what Lambda passes to a function. */
function recordOf({ sequence, ...row }: Row, eventSourceARN: string): DynamoDBRecord {
  const image = (text: string | null) =>
    text === null ? undefined : (JSON.parse(text) as Record<string, AttributeValue>);
  const [NewImage, OldImage] = [image(row.new_image), image(row.old_image)];
  return {
    eventID: String(sequence),
    eventName: row.event_name,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'us-east-1',
    eventSourceARN,
    dynamodb: {
      ApproximateCreationDateTime: row.created_at,
      Keys: JSON.parse(row.keys),
      ...(NewImage ? { NewImage } : {}),
      ...(OldImage ? { OldImage } : {}),
      SequenceNumber: String(sequence),
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  };
}
