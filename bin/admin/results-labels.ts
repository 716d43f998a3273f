import type { Results } from '../../lib/domain/results.ts';
import { number } from './text.ts';

/** How tables, CSV and the page call questions and answers. */

type Question = Results['questions'][number];

export const questionLabel = ({ question, key }: Question): string => question ?? `${key} (removed)`;

/** @param typed how what was typed is called, which is one answer */
export const answerLabel = ({ key, answer }: Question['answers'][number], typed: string): string =>
  answer ?? (key === null ? typed : `${key} (removed)`);

export const typedLabel = ({ type }: Pick<Question, 'type'>, texts = 'typed texts'): string =>
  type === 'number' ? 'numbers' : type === 'date' ? 'dates' : texts;

/** Of whom the counts of the answers are shares. */
export const sharesNote = ({ type, answered }: Question): string | undefined => {
  const people = `${number(answered)} ${answered === 1 ? 'person' : 'people'}`;
  return type === 'options' ? `shares of the ${people} who answered, each with one option or several` : undefined;
};
