import * as z from 'zod';
import { type AcceptedChunk, type Chunk, chunkStatuses, type ListedChunk } from '../domain/chunk.ts';
import type { Item, Write } from './database.ts';
import { type ChunkList, chunkListKey } from './keys.ts';
import { itemReader, storedTime } from './stored-item.ts';

/** The items of a chunk: its claim, and its entry in the team's list of open or failed chunks. */

const chunkSchema = z.object({
  sk: z.string(),
  team_id: z.string(),
  batch_id: z.string(),
  index: z.number(),
  status: z.enum(chunkStatuses),
  order: z.int(),
  payload_id: z.string(),
  parts: z.number(),
  records: z.number(),
  digest: z.string().optional(),
  client_id: z.string().optional(),
  accepted_at: storedTime,
  accepted_after: z.int().optional(),
  counts: z
    .object({ applied: z.number(), unchanged: z.number(), superseded: z.number(), rejected: z.number() })
    .optional(),
  rejections: z.array(z.object({ record: z.number(), message: z.string() })).optional(),
  failure: z.string().optional(),
  attempts: z.number().optional(),
  closed_at: storedTime.optional(),
  ended: z.int().optional(),
  settled: z.int().optional(),
});

/** The chunk that is stored in this claim. The claim's sort key names the chunk within its batch. */
export function chunkOf(item: Item): Chunk {
  const { sk: claim, ...chunk } = chunkItem(item);
  return { ...chunk, claim };
}

const chunkItem = itemReader('chunk', chunkSchema);

const entrySchema = z.object({
  team_id: z.string(),
  batch_id: z.string(),
  claim: z.string(),
  order: z.int(),
  index: z.number(),
  payload_id: z.string(),
  parts: z.number(),
  records: z.number(),
  accepted_at: storedTime,
  accepted_after: z.int().optional(),
  cancelled: z.boolean().optional(),
});

export const entryOf: (item: Item) => ListedChunk = itemReader('entry in a list of chunks', entrySchema);

export function listEntry(list: ChunkList, chunk: AcceptedChunk): Write {
  return { kind: 'insert', item: { ...chunkListKey(chunk.team_id, list, chunk.order), ...entrySchema.parse(chunk) } };
}
