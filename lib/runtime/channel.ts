import { contentReference, openReference, teamOfReference } from '../auth/content-reference.ts';
import type { ContentDependencies } from '../operations/show-channel-content.ts';
import { pause, progress } from './table.ts';

/** For the functions behind content addresses. */
export const channelContent = (): ContentDependencies => ({
  ...progress(),
  pause,
  teamOf: teamOfReference,
  open: openReference,
  referenceTo: contentReference,
});
