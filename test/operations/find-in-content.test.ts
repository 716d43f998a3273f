import { describe, expect, test } from 'vitest';
import { findInContent } from '../../lib/operations/find-template.ts';
import type { Content, ContentCache } from '../../lib/store/content.ts';

describe('something in the content', () => {
  const content = (name: string) => ({ name }) as unknown as Content;
  const [cached, current] = [content('cached'), content('current')];
  const find = async (wanted: string, loaded: Content, given?: Content) => {
    const reads: string[] = [];
    const read = (name: string, value: Content) => async () => {
      reads.push(name);
      return value;
    };
    const cache = { load: read('load', loaded), current: read('current', current) } as unknown as ContentCache;
    const looked: unknown[] = [];
    const found = await findInContent(
      cache,
      'team',
      (each) => {
        looked.push(each);
        return (each as unknown as { name: string }).name === wanted ? wanted : undefined;
      },
      given,
    );
    return { found, reads, looked };
  };

  test.each([
    ['in the cached content, without another read', 'cached', cached, undefined, ['load'], [cached]],
    ['in the given content, without a read', 'cached', current, cached, [], [cached]],
    [
      'in the current content, if the cached does not have it',
      'current',
      cached,
      undefined,
      ['load', 'current'],
      [cached, current],
    ],
  ])('is found %s', async (_, wanted, loaded, given, reads, looked) => {
    expect(await find(wanted, loaded, given)).toEqual({ found: wanted, reads, looked });
  });

  test('is searched once if the cached content is the current one', async () => {
    const expected = { found: undefined, reads: ['load', 'current'], looked: [current] };
    expect(await find('nothing', current)).toEqual(expected);
  });
});
