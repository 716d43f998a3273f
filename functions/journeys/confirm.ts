import * as z from 'zod';
import { shownJourneyOf } from '../../lib/domain/journeys/journey.ts';
import { shownJourney } from '../../lib/domain/journeys/journey-responses.ts';
import { flag } from '../../lib/domain/values/fields.ts';
import { contract } from '../../lib/http/contract.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { writtenJourneyTo } from '../../lib/http/visibility.ts';
import { confirmJourney as confirm } from '../../lib/operations/journeys/confirm.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { service } from '../../lib/runtime/table.ts';

const confirmJourney = contract<typeof responses>()({
  id: 'confirm-journey',
  scope: 'journeys:write',
  tag: 'Journeys',
  summary: 'Confirm that a journey is completed',
  description:
    '`true` sets `completion_verified_at`. A repeated confirmation keeps the first time. `false` changes nothing.',
  body: z
    .looseObject({ is_completion_confirmed: flag().describe('`true` confirms the completion') })
    .meta({ id: 'JourneyConfirmation', description: 'Confirmation of a completed journey' }),
});

const responses = () => ({ 200: { description: 'The journey', schema: shownJourney } });

export const contracts = () => [{ ...confirmJourney, responses: responses() }];

export const handler = bearerEndpoint(confirmJourney, async ({ caller, params, body }) => {
  const ids = { templateId: idParam(params, 'template_id'), journeyId: idParam(params, 'journey_id') };
  const journey = await confirm(service(), caller.teamId, ids, body.is_completion_confirmed);
  return reply(200, writtenJourneyTo(caller, shownJourneyOf(journey)));
});
