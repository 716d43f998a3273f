import * as z from 'zod';
import { notFound } from '../../lib/domain/values/problem.ts';
import { contract } from '../../lib/http/contract.ts';
import { byRoute } from '../../lib/http/handler.ts';
import { idParam } from '../../lib/http/params.ts';
import { noContent, reply } from '../../lib/http/reply.ts';
import { leaveByContact } from '../../lib/operations/contacts/leave.ts';
import { requestVerification } from '../../lib/operations/messages/verify.ts';
import { consentService } from '../../lib/runtime/consent.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { verificationService } from '../../lib/runtime/verifications.ts';
import { loadContact } from '../../lib/store/contacts/contacts.ts';

const channelBody = () =>
  z
    .looseObject({ channel: z.literal('email', 'must be email').describe('The channel. Only `email` so far') })
    .meta({ id: 'ContactChannel', description: 'A channel on which messages reach the contact' });

const optOut = contract<typeof optOutResponses>()({
  id: 'opt-out',
  scope: 'contacts:write',
  tag: 'Contacts',
  summary: 'Unsubscribe a contact',
  description:
    'The contact no longer wants marketing messages, as if it had used the link in one: for a branch or a call centre. ' +
    '`email_opted_in` becomes `false` and stays so: a later upsert that says `true` stores `false`. The address is listed, ' +
    'too, so that no other contact gets marketing messages there. Only the contact can take it back, with the link, or ' +
    'an administrator. The request is safe to retry.',
  body: channelBody(),
});

const optOutResponses = () => ({ 204: { description: 'The contact has left' } });

const verifyContact = contract<typeof verifyResponses>()({
  id: 'verify-contact',
  scope: 'contacts:write',
  tag: 'Contacts',
  summary: 'Send a link that verifies the address of a contact',
  description:
    'Sends a message to the address on file at once. Its link works once, for 72 hours, and shows a page with a button ' +
    'that sets `email_verified`, if the address on file is still the same. At most three are sent in 24 hours to a ' +
    'contact, and to an address (429). An address from which messages bounced is a 409.',
  body: channelBody(),
  problems: ['conflict', 'too_many_requests'],
});

const verifyResponses = () => ({
  202: {
    description: 'The message will be sent',
    schema: z
      .object({
        id: z.uuid().describe('Id of the message'),
        status: z.literal('sending').describe('It is sent at once'),
      })
      .meta({ id: 'ContactVerification', description: 'A message with a link that verifies an address' }),
  },
});

export const contracts = () => [
  { ...optOut, responses: optOutResponses() },
  { ...verifyContact, responses: verifyResponses() },
];

const leave = bearerEndpoint(optOut, async ({ caller, params }) => {
  const service = consentService();
  const { teamId, clientId } = caller;
  const id = idParam(params, 'id');
  if (!(await loadContact(service.database, teamId, id))) throw notFound();
  await leaveByContact(service, teamId, id, { source: { kind: 'client', id: clientId } });
  return noContent;
});

const verify = bearerEndpoint(verifyContact, async ({ caller, params }) => {
  const id = await requestVerification(verificationService(), caller, idParam(params, 'id'));
  return reply(202, { id, status: 'sending' as const });
});

export const handler = byRoute({
  'POST /v1/contacts/{id}/opt-outs': leave,
  'POST /v1/contacts/{id}/verifications': verify,
});
