import type { ContentCatalogue } from '../../store/content.ts';
import type { StartDependencies } from '../journeys/dependencies.ts';

/** What the operations on contacts are handed: contacts may start journeys. */
export type ContactDependencies = StartDependencies & { content: ContentCatalogue };

/** Rounds of reading and deciding again after a lost race; with the pauses between them some seconds in all. */
export const maxRounds = 20;
