import { describe, expect, test } from 'vitest';
import { templateWith } from '../support/content-documents.ts';
import { inBlock, warningsOf } from '../support/content-warnings.ts';

const survey = (questions: unknown[], translations: object | null = null, condition = 'confirm') =>
  templateWith(
    { completion_condition: condition, content_blocks: [{ type: 'survey', data: { questions } }] },
    { translations },
  );

describe('a survey that cannot be answered is a warning:', () => {
  const cases: [what: string, document: object, path: string, message: RegExp][] = [
    [
      'two options with one text',
      survey([{ text: 'Q', options: ['A', { text: 'A ' }] }]),
      `${inBlock}/data/questions/0/options/1`,
      /same text as option 1/,
    ],
    ['two questions that differ by a space', survey(['A', 'A ']), `${inBlock}/data/questions/1`, /question 1/],
    [
      'required questions of a page that is viewed',
      survey([{ text: 'Q', required: true }], null, 'view'),
      `${inBlock}/type`,
      /viewing completes the page.*to confirm/,
    ],
  ];
  test.each(cases)('%s', (_what, document, path, message) => {
    const found = warningsOf(document);
    expect(found.map((each) => each.split(' ')[0])).toEqual([path]);
    expect(found[0]).toMatch(message);
  });
});
