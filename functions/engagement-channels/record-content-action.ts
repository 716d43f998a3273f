import { contentPath } from '../../lib/domain/channel-content.ts';
import { Problem } from '../../lib/domain/problem.ts';
import { contentAction, recordContentAction } from '../../lib/http/contracts/channel-pages.ts';
import { jsonOrForm } from '../../lib/http/form.ts';
import { idParam } from '../../lib/http/params.ts';
import { seeOther } from '../../lib/http/reply.ts';
import { recordContentAction as record } from '../../lib/operations/show-channel-content.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { channelContent } from '../../lib/runtime/channel.ts';

export const handler = publicEndpoint(recordContentAction, async ({ params, event }) => {
  const { isForm, body } = jsonOrForm(event, contentAction);
  const channelId = idParam(params, 'channel_id');
  const reference = params.reference ?? '';
  const recorded = record(channelContent(), channelId, reference, body.type);
  if (!isForm) {
    await recorded;
    return { status: 204 };
  }
  // Content that is gone meanwhile is told by the frame itself, in words.
  await recorded.catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
  });
  return seeOther(contentPath(channelId, reference));
});
