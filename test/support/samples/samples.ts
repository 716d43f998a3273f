import { type Contact, noDetails } from '../../../lib/domain/contacts/contact.ts';
import type { ExpectedFile } from '../../../lib/domain/drop-box/expected-file.ts';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import type { Journey } from '../../../lib/domain/journeys/journey.ts';

/** Objects of the domain with the usual values, apart from what a test says. */
const at = '2026-01-01T00:00:00.000000Z';
const times = { inserted_at: at, updated_at: at };

export const contactOf = (fields: Partial<Contact> = {}): Contact => ({
  ...{ ...noDetails, id: 'id', unique_id: 'u', ...times },
  ...fields,
});

export const journeyOf = (fields: Partial<Journey> = {}): Journey => ({
  ...{ id: 'id', slug: 'slug', contact_id: 'contact', template_id: 'template', name: 'Journey', owner_id: null },
  ...{ source: 'api', completion_verified_at: null, account_id: null, is_one_for_one: false, rule: null },
  ...{ cancelled_at: null, expired_at: null, is_undone: false, reopened_at: null, ...times },
  ...fields,
});

/** Of accounts, by five o'clock. */
export const expectedFileOf = (fields: Partial<ExpectedFile> = {}): ExpectedFile => ({
  ...{ team_id: 't', type: 'accounts', by: '05:00', time_zone: 'UTC', inserted_at: at, last_arrival_at: null },
  ...fields,
});

/** An open chunk of the batch `b`. */
export const chunkOf = (index: number, fields: Partial<Chunk> = {}): Chunk => ({
  ...{ team_id: 't', batch_id: 'b', claim: `CHUNK#${String(index).padStart(6, '0')}`, index, order: index + 1 },
  ...{
    payload_id: `p${index}`,
    parts: 1,
    records: 10,
    digest: 'd',
    accepted_at: at,
    accepted_after: 0,
    status: 'open',
  },
  ...fields,
});
