import { describe, expect, test } from 'vitest';
import { isOwnClass, isOwnTag, ownClasses, ownTags } from '../../lib/web/css/matching.ts';
import { read, sourcesOf } from '../architecture/sources.ts';

/** Around the blocks, where the CSS of a campaign matches nothing. */
const outside = ['box', 'unseen', 'stage', 'skip', 'frame', 'body', 'with-steps', 'sheet'];

const blocks = sourcesOf('lib/web/blocks').map(({ file }) => file);
const around = ['lib/web/journey/page.ts', 'lib/web/channel/content.ts'];
const sources = [...blocks, ...around, 'lib/web/links.ts', 'lib/web/html.ts'].map(read).join('\n');

describe('the names that selectors can match are those that the renderers write:', () => {
  test('classes', () => {
    const written = [...sources.matchAll(/class="([\w -]+)"/g)].flatMap(([, names]) => names!.split(' '));
    expect(written.length).toBeGreaterThan(30);
    expect(written.filter((name) => !isOwnClass(name) && !outside.includes(name))).toEqual([]);
    expect([...ownClasses].filter((name) => !new RegExp(`['" ]${name}['" ]`).test(sources))).toEqual([]);
  });

  test('elements', () => {
    const inBlocks = [...blocks, 'lib/web/links.ts', 'lib/web/html.ts'].map(read).join('\n');
    const written = [...inBlocks.matchAll(/(?<!\w)<([a-z]+\d?)[\s>$]/g)].map(([, name]) => name!);
    expect(written.filter((name) => !isOwnTag(name))).toEqual([]);
    expect([...ownTags].filter((name) => !new RegExp(`<${name}[\\s>$]`).test(sources))).toEqual([]);
  });
});
