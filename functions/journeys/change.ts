import * as z from 'zod';
import { shownJourneyOf } from '../../lib/domain/journeys/journey.ts';
import { shownJourney } from '../../lib/domain/journeys/journey-responses.ts';
import { flag } from '../../lib/domain/values/fields.ts';
import { contract } from '../../lib/http/contract.ts';
import { byRoute } from '../../lib/http/handler.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { writtenJourneyTo } from '../../lib/http/visibility.ts';
import { recordedAct } from '../../lib/operations/access/audit.ts';
import { cancelJourney as cancelIt } from '../../lib/operations/journeys/cancel.ts';
import { confirmJourney as confirmIt } from '../../lib/operations/journeys/confirm.ts';
import { contactService } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { service } from '../../lib/runtime/table.ts';

const confirmJourney = contract<typeof responses>()({
  id: 'confirm-journey',
  scope: 'journeys:write',
  tag: 'Journeys',
  summary: 'Confirm that a journey is completed',
  description:
    '`true` sets `completion_verified_at`. A repeated confirmation keeps the first time. `false` changes nothing. A ' +
    'cancelled journey cannot be confirmed (409).',
  body: z
    .looseObject({ is_completion_confirmed: flag().describe('`true` confirms the completion') })
    .meta({ id: 'JourneyConfirmation', description: 'Confirmation of a completed journey' }),
  problems: ['conflict'],
});

const cancelJourney = contract<typeof responses>()({
  id: 'cancel-journey',
  scope: 'journeys:write',
  tag: 'Journeys',
  summary: 'Cancel a journey',
  description:
    'Ends a journey that is not completed: its pages are gone (410), channels show nothing of it, and it cannot be ' +
    'confirmed. A repeated request changes nothing. A journey that is completed or has expired is a 409: what was ' +
    'recorded first stands.',
  problems: ['conflict'],
});

const responses = () => ({ 200: { description: 'The journey', schema: shownJourney } });

export const contracts = () => [
  { ...confirmJourney, responses: responses() },
  { ...cancelJourney, responses: responses() },
];

const confirm = bearerEndpoint(confirmJourney, async ({ caller, params, body }) => {
  const ids = { templateId: idParam(params, 'template_id'), journeyId: idParam(params, 'journey_id') };
  const journey = await confirmIt(service(), caller.teamId, ids, body.is_completion_confirmed);
  return reply(200, writtenJourneyTo(caller, shownJourneyOf(journey)));
});

const cancel = bearerEndpoint(cancelJourney, async ({ caller, params }) => {
  const journeyId = idParam(params, 'journey_id');
  const service = contactService();
  const act = { who: caller.clientId, what: 'journey cancel', team_id: caller.teamId, ids: { journey_id: journeyId } };
  const journey = await recordedAct(service, act, () => cancelIt(service, caller.teamId, journeyId));
  return reply(200, writtenJourneyTo(caller, shownJourneyOf(journey)));
});

export const handler = byRoute({
  'PUT /v1/templates/{template_id}/journeys/{journey_id}': confirm,
  'POST /v1/journeys/{journey_id}/cancel': cancel,
});
