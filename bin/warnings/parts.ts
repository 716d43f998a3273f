import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { urlWarnings } from './addresses.ts';
import { placeholderWarnings, type SharedVariables, type Surface } from './placeholders.ts';
import type { Reading } from './shapes.ts';

/** The warnings of a part of a template, for example of a block, and the places of which a page shows nothing. */
export type Part = { warnings: ErrorDetail[]; unread: string[] };

/** What a page does not read, and the warnings of the URLs and texts that it reads. */
export const partOf = ({ warnings, texts }: Reading, surface: Surface, given: Partial<SharedVariables> = {}): Part => ({
  warnings: [
    ...warnings,
    ...texts.filter(({ is }) => is === 'url').flatMap(({ text, path }) => urlWarnings(text, path, given.variables)),
    ...placeholderWarnings(texts, surface, given),
  ],
  unread: warnings.map(({ path }) => path),
});

/** Warnings about something that is shown. */
export const noted = (warnings: ErrorDetail[]): Part => ({ warnings, unread: [] });

/** Warnings about something that is not shown. */
export const lost = (warnings: ErrorDetail[]): Part => ({ warnings, unread: warnings.map(({ path }) => path) });

export const warningsOf = (parts: readonly Part[]): ErrorDetail[] => parts.flatMap(({ warnings }) => warnings);
