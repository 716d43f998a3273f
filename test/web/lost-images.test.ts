import { describe, expect, test } from 'vitest';
import { templateWith } from '../support/content-documents.ts';
import { image, inBlock, warningsOf } from '../support/content-warnings.ts';

const withBlock = (...content_blocks: object[]) => templateWith({ content_blocks });
const shown = (src: string) => withBlock({ type: 'image', data: { src, altText: 'A' } });

describe('an image of which only the beginning was copied:', () => {
  test.each([
    image.slice(0, 80),
    'data:image/jpeg;base64,/9j/4AAQSkZJRgABAQAAAQABAAD/2gAMAwEAAhEDEQA/AA==',
    'data:image/webp;base64,UklGRiQAAABXRUJQVlA4IBgAAAA=',
  ])('%s', (src) => {
    expect(warningsOf(shown(src))).toEqual([
      expect.stringContaining(`${inBlock}/data has an image that is not complete`),
    ]);
  });

  test.each([
    image,
    // A part of its base64 is percent-encoded.
    'data:image/jpeg;base64,%2F9j/4AAQSkZJRgABAQAAAQABAAD/2gAMAwEAAhEDEQA/AP/Z',
    'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=',
    'data:image/webp;base64,UklGRhAAAABXRUJQVlA4IAQAAAAAAAAA',
    'data:image/svg+xml,%3Csvg%2F%3E',
  ])('%s is complete', (src) => {
    expect(warningsOf(shown(src))).toEqual([]);
  });
});

describe('a column that is narrow on a phone:', () => {
  const data = { heading: 'Fixed rate', body: 'The same payment for ten years' };

  test('has a text', () => {
    const found = warningsOf(withBlock({ type: 'card', grid: { xs: '4' }, data }));
    expect(found).toEqual([
      `${inBlock}/grid/xs is less than half the width of a phone, which is too narrow for a text: write 12, and this number into \`md\``,
    ]);
  });

  test.each<[what: string, block: object]>([
    ['half of it', { type: 'card', grid: { xs: 6, md: 3 }, data }],
    [
      'a number',
      {
        type: 'card',
        grid: { xs: 3 },
        data: { heading: '3.5 %', body: 'a year', customClass: 'number number-of-the-year' },
      },
    ],
    [
      'an image',
      { type: 'image', grid: { xs: 3 }, data: { src: image, altText: 'A house with a long description of it' } },
    ],
  ])('%s is no warning about it', (_what, block) => {
    expect(warningsOf(withBlock(block)).filter((each) => each.includes('/grid'))).toEqual([]);
  });
});

describe('a column of a desktop that gets one word per line:', () => {
  const body = 'A text that is longer than the width of two columns.';
  const narrow = (grid: object, type = 'text', data: object = { body }) => withBlock({ type, grid, data });
  const message = 'is too narrow for a text, which gets about one word per line: write at least 3 of the 12 columns';

  test.each<[grid: object, size: string]>([
    [{ xs: 12, md: 2 }, 'md'],
    [{ md: '1', lg: 1 }, 'md'],
    [{ md: 6, lg: 2 }, 'lg'],
  ])('%j', (grid, size) => {
    expect(warningsOf(narrow(grid))).toEqual([`${inBlock}/grid/${size} ${message}`]);
  });

  test('three columns, a short text and an image are none', () => {
    expect(warningsOf(narrow({ md: 3, lg: 3 }))).toEqual([]);
    expect(warningsOf(narrow({ md: 2 }, 'text', { body: '$31,400' }))).toEqual([]);
    expect(warningsOf(narrow({ md: 1 }, 'image', { src: image, altText: 'A house with a long description' }))).toEqual(
      [],
    );
  });
});
