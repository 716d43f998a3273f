import * as z from 'zod';
import {
  type AcceptedChunk,
  type Chunk,
  chunkSchema,
  type ListedChunk,
  listedChunk,
} from '../../domain/imports/chunk.ts';
import type { Item, Write } from '../table/database.ts';
import { type ChunkList, chunkListKey } from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';

/** The items of a chunk: its claim, and its entry in the team's list of open or failed chunks. */

/** The chunk that is stored in this claim. The claim's sort key names the chunk within its batch. */
export function chunkOf(item: Item): Chunk {
  const { sk: claim, ...chunk } = chunkItem(item);
  return { ...chunk, claim };
}

const chunkItem = itemReader('chunk', chunkSchema.omit({ claim: true }).extend({ sk: z.string() }));

export const entryOf: (item: Item) => ListedChunk = itemReader('entry in a list of chunks', listedChunk);

export function listEntry(list: ChunkList, chunk: AcceptedChunk): Write {
  return { kind: 'insert', item: { ...chunkListKey(chunk.team_id, list, chunk.order), ...listedChunk.parse(chunk) } };
}
