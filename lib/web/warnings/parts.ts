import type { ErrorDetail } from '../../domain/problem.ts';
import { urlWarnings } from './addresses.ts';
import { markupWarnings } from './markup.ts';
import { notationWarnings } from './notations.ts';
import { placeholderWarnings, type SharedVariables, type Surface } from './placeholders.ts';
import type { Reading, ShownText } from './shapes.ts';

/** The warnings of a part of a template, for example of a block, and the places of which a page shows nothing. */
export type Part = { warnings: ErrorDetail[]; unread: string[] };

/** What a page does not read, and the warnings of the URLs and texts that it reads. */
export const partOf = ({ warnings, texts }: Reading, surface: Surface, given: Partial<SharedVariables> = {}): Part => ({
  warnings: [
    ...warnings,
    ...texts.filter(({ is }) => is === 'url').flatMap((each) => linkWarnings(each, given)),
    ...placeholderWarnings(texts, surface, given),
    ...notationWarnings(
      texts.filter(({ is }) => is === 'text'),
      namesOf(given),
    ),
    ...markupWarnings(texts),
  ],
  unread: warnings.map(({ path }) => path),
});

/** A placeholder in another notation is the reason why its URL cannot work. */
function linkWarnings(url: ShownText, given: Partial<SharedVariables>): ErrorDetail[] {
  const notations = notationWarnings([url], namesOf(given));
  return notations.length > 0 ? notations : urlWarnings(url.text, url.path, given.variables);
}

const namesOf = ({ variables }: Partial<SharedVariables>): string[] => Object.keys(variables ?? {});

/** Warnings about something that is shown. */
export const noted = (warnings: ErrorDetail[]): Part => ({ warnings, unread: [] });

/** Warnings about something that is not shown. */
export const lost = (warnings: ErrorDetail[]): Part => ({ warnings, unread: warnings.map(({ path }) => path) });

export const warningsOf = (parts: readonly Part[]): ErrorDetail[] => parts.flatMap(({ warnings }) => warnings);
