import { describe } from 'vitest';
import { templateWith } from '../support/content-documents.ts';
import { inBlock, warns } from '../support/content-warnings.ts';

const survey = (questions: unknown[], translations: object | null = null, condition = 'confirm') =>
  templateWith(
    { completion_condition: condition, content_blocks: [{ type: 'survey', data: { questions } }] },
    { translations },
  );

describe('a survey that cannot be answered is a warning:', () => {
  warns(inBlock, [
    [
      'two options with one text',
      survey([{ text: 'Q', options: ['A', { text: 'A ' }] }]),
      'data/questions/0/options/1',
      /same text as option 1/,
    ],
    ['two questions that differ by a space', survey(['A', 'A ']), 'data/questions/1', /question 1/],
    [
      'required questions of a page that is viewed',
      survey([{ text: 'Q', required: true }], null, 'view'),
      'type',
      /viewing completes the page.*to confirm/,
    ],
  ]);
});
