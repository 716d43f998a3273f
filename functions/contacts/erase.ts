import { contactErasure } from '../../lib/domain/contacts/contact-responses.ts';
import { contract } from '../../lib/http/contract.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { requestErasure } from '../../lib/operations/erasure/request-erasure.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { service } from '../../lib/runtime/table.ts';

const eraseContact = contract<typeof responses>()({
  id: 'erase-contact',
  scope: 'contacts:erase',
  tag: 'Contacts',
  summary: 'Erase a contact',
  description:
    'Deletes everything that is stored of the person, also in batches and dropped files. Accounts are kept. The request ' +
    'is stored durably, and the erasure takes some minutes. It cannot be undone. The contact can be missing from this ' +
    'response on. What is written to it before it is deleted is deleted too. Repeat the request as often as you want: ' +
    'the response is the same until the erasure has ended, then 404.',
});

const responses = () => ({
  202: { description: 'The contact will be erased', schema: contactErasure },
});

export const contracts = () => [{ ...eraseContact, responses: responses() }];

export const handler = bearerEndpoint(eraseContact, async ({ caller, params }) => {
  const id = idParam(params, 'id');
  await requestErasure(service(), caller, id);
  return reply(202, { id, status: 'erasing' as const });
});
