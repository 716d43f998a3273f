import type { Writer } from '../../domain/identity-facts.ts';
import type { ContentCache } from '../../store/content.ts';
import type { StartDependencies } from '../journeys/dependencies.ts';

/** The dependencies of the operations on contacts. A contact record can start journeys. */
export type ContactDependencies = StartDependencies & {
  content: ContentCache;
  writer: Writer;
  /** True if the caller may not read `meta_private`. */
  isPrivateHidden?: boolean;
};
