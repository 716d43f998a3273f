import {
  type ContactChange,
  InvalidContact,
  identityErrors,
  identityOf,
  parsedContact,
} from '../domain/contacts/contact-record.ts';
import { type FileNotice, maxFirstRows } from '../domain/drop-box/file-notice.ts';
import type { Row } from './rows.ts';

/** A contact after its upsert. A client that may not read contacts gets no more than the ids. */
type WrittenContact = { unique_id: string; email_opted_in?: boolean | null };
type Written = { new_contacts: readonly WrittenContact[]; existing_contacts: readonly WrittenContact[] };

const contactRecord = parsedContact(identityErrors);

const saysOptedIn = ({ fields, contradicting }: ContactChange): boolean =>
  fields.email_opted_in === true && contradicting.email_opted_in === undefined;

/**
 * The notice of the rows that say of a contact that it is opted in, although it has left or its address is listed: it is
 * stored as not opted in (contract, section 15, "Leaving"). Of several rows of a contact, the last one counts.
 */
export function leaverNotices(rows: readonly Row[], written: Written): FileNotice[] {
  const isOut = new Map(
    [...written.new_contacts, ...written.existing_contacts].map(({ unique_id, email_opted_in }) => [
      unique_id,
      email_opted_in === false,
    ]),
  );
  const said = new Map<string, number | undefined>();
  for (const { record, line } of rows) {
    const change = contactRecord.parse(record);
    const uniqueId = identityOf(change);
    if (uniqueId === undefined || change instanceof InvalidContact) continue;
    if (change.fields.email_opted_in !== undefined) said.set(uniqueId, saysOptedIn(change) ? line : undefined);
  }
  const lines = [...said].flatMap(([uniqueId, line]) => (line !== undefined && isOut.get(uniqueId) ? [line] : []));
  if (lines.length === 0) return [];
  const message =
    'a contact that the row says is opted in to emails has left, or its address is on the suppression list: it stays opted out';
  return [{ kind: 'left', count: lines.length, first_rows: lines.slice(0, maxFirstRows), message }];
}
