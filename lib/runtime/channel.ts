import { contentReference, openReference, teamOfReference } from '../auth/content-reference.ts';
import type { ContentDependencies } from '../operations/show-channel-content.ts';
import { recording } from './content.ts';

/** For the functions behind content addresses. */
export const channelContent = (): ContentDependencies => ({
  ...recording(),
  teamOf: teamOfReference,
  open: openReference,
  referenceTo: contentReference,
});
