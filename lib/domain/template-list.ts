import * as z from 'zod';
import type { PagedList } from './cursor.ts';

/** The journeys of a template and the responses to it, in pages (contract, section 13). */

export const journeyListLimits = { default: 100, maximum: 100 } as const;

/** An empty time filters nothing. A position is the place in the index. */
export const journeyListPages: PagedList<{ template_id: string; updated_since: string; limit: number }, string> = {
  name: 'list of journeys of a template',
  query: z.object({ template_id: z.string(), updated_since: z.string(), limit: z.number() }),
  position: z.string(),
};

export const templateResponsePages: PagedList<{ template_id: string; since: string; limit: number }, string> = {
  name: 'list of responses to a template',
  query: z.object({ template_id: z.string(), since: z.string(), limit: z.number() }),
  position: z.string(),
};
