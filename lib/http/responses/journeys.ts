import * as z from 'zod';
import { shownResponse } from '../../domain/journeys/answer.ts';
import { listedJourney, shownJourney, startedJourney } from '../../domain/journeys/journey-responses.ts';
import { journeyList } from '../../domain/results/journey-list-responses.ts';
import { nextCursor } from '../../domain/values/cursor.ts';
import { nextPage, responses } from '../contract.ts';

export const createJourney = responses({
  200: { description: 'The existing journey', schema: startedJourney },
  201: { description: 'The new journey', schema: startedJourney },
});

export const listJourneys = responses({
  200: {
    description: 'The journeys of the contact, oldest first, or a page of the journeys of the template',
    schema: z.union([z.array(listedJourney), journeyList]),
    headers: nextPage,
  },
});

export const confirmJourney = responses({ 200: { description: 'The journey', schema: shownJourney } });

export const listResponses = responses({
  200: {
    description: 'A page of the responses, oldest first',
    schema: z
      .object({
        responses: z.array(shownResponse).describe('Oldest first'),
        has_more: z.boolean().describe('True if more responses follow'),
        next_cursor: nextCursor(),
      })
      .meta({ id: 'ResponseList', description: 'A page of the responses of a journey' }),
    headers: nextPage,
  },
});
