import { contract } from '../contract.ts';
import type * as responses from '../responses/pages.ts';

const tag = 'Engagement channels';

export const showChannelContent = contract<typeof responses.showChannelContent>()({
  id: 'show-channel-content',
  tag,
  summary: 'Show the content of a channel',
  description:
    'The page behind the `url` that the search returns. Show it in a frame with the size of the channel. It can contain ' +
    'fields of the contact and `meta_public`, but never `meta_private`. If the content no longer exists or is no longer ' +
    'for the contact, the page shows the default content of the channel. A request alone is not a view: the page ' +
    'reports views itself.',
});

export const recordContentView = contract<typeof responses.recordContentView>()({
  id: 'record-content-view',
  ofOwnPages: true,
  tag,
  summary: 'Record a view of content in a frame, by an image',
  description:
    'For a browser or a frame without scripts. Counts only if a browser loads it as an image of the page ' +
    '(`Sec-Fetch-Dest`, `Sec-Fetch-Site`).',
  problems: ['identity_required'],
});
