import type { ContentCache } from '../../store/content.ts';
import type { StartDependencies } from '../journeys/dependencies.ts';

/** What the operations on contacts are handed: contacts may start journeys. */
export type ContactDependencies = StartDependencies & { content: ContentCache };
