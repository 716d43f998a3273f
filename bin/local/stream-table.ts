import { DatabaseSync } from 'node:sqlite';

const index = '_stream_records_by_sequence';
/** Exactly as the engine writes it, because SQLite compares the text of an expression. */
const sequence = 'CAST(sequence_number AS INTEGER)';

const open = (databasePath: string): DatabaseSync => {
  const database = new DatabaseSync(databasePath, { timeout: 5000 });
  // The engine writes its log to the disk, and keeps it short.
  database.exec('PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0');
  return database;
};

/**
 * Adds an index to the file of the embedded engine. The engine looks for the last sequence number before each write, and
 * would read all records of the stream for it.
 * @returns false if this version of the engine does not use the index
 */
export function indexStream(databasePath: string): boolean {
  const database = open(databasePath);
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

/** @returns a function that deletes the records of the table's stream up to a sequence number */
export function streamTrimmer(databasePath: string, tableName: string): (sequenceNumber: bigint) => void {
  const database = open(databasePath);
  // The last record stays: the engine counts on from it.
  const trim = database.prepare(
    `DELETE FROM _stream_records WHERE table_name = :table AND ${sequence} <= :upTo
       AND ${sequence} < (SELECT MAX(${sequence}) FROM _stream_records WHERE table_name = :table)`,
  );
  return (upTo) => trim.run({ table: tableName, upTo });
}
