import { eraseContact } from '../../lib/http/contracts/contacts.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { requestErasure } from '../../lib/operations/erasure/request-erasure.ts';
import { environment } from '../../lib/runtime/base.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(eraseContact, async ({ caller, params }) => {
  const id = idParam(params, 'id');
  await requestErasure({ ...runtime(), retentionDays: environment().AUDIT_RETENTION_DAYS }, caller, id);
  return reply(202, { id, status: 'erasing' as const });
});
