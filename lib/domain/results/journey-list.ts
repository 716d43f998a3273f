import * as z from 'zod';
import { responseListLimits } from '../journeys/answer.ts';
import { pagedList } from '../values/cursor.ts';

/** The journeys of a template and the responses to it, in pages (contract, section 13). */

export const journeyListLimits = { default: 100, maximum: 100 } as const;

const templateId = z.string().default('');
/** An empty time filters nothing. */
const since = z.string().default('');

/** A position is the place in the index. */
export const journeyListPages = pagedList(
  'list of journeys of a template',
  z.object({ template_id: templateId, updated_since: since, limit: z.number().default(journeyListLimits.default) }),
  z.string(),
);

export const templateResponsePages = pagedList(
  'list of responses to a template',
  z.object({ template_id: templateId, since, limit: z.number().default(responseListLimits.default) }),
  z.string(),
);
