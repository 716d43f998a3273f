import { describe, expect, test } from 'vitest';
import {
  type FileType,
  fileTypeOf,
  hasExtensionOf,
  imageTypeOf,
  maxImageBytes,
  pathOfNamedFile,
  teamFileSchema,
} from '../../../lib/domain/teams/team-file.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('the type of an image', () => {
  test.each([
    ['\x89PNG\r\n\x1a\n…', 'image/png'],
    ['\xff\xd8\xff\xe0…', 'image/jpeg'],
    ['GIF87a…', 'image/gif'],
    ['GIF89a…', 'image/gif'],
    ['RIFF\x01\x02\x03\x04WEBPVP8 ', 'image/webp'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['\xef\xbb\xbf\r\n\t <?xml version="1.0"?><svg/>', 'image/svg+xml'],
  ])('of %j is %s', (text, type) => {
    expect(imageTypeOf(bytes(text))).toBe(type);
  });

  test.each([
    ['', 'nothing'],
    ['\x89PN', 'a part of a signature'],
    ['RIFF\x01\x02\x03\x04WAVE', 'a sound'],
    ['JUNK\x01\x02\x03\x04WEBPVP8 ', 'an image without its signature'],
    ['%PDF-1.7', 'a document'],
    ['PK\x03\x04', 'an archive'],
    ['BM…', 'a bitmap'],
    ['\x00\x00\x00\x20ftypavif', 'a type that is not kept'],
    ['\xff\xfe<\x00s\x00v\x00g\x00', 'an SVG in UTF-16'],
    ['svg', 'a text'],
  ])('of %j is unknown: %s', (text) => {
    expect(imageTypeOf(bytes(text))).toBeUndefined();
  });

  test('of a font is no type of image', () => {
    expect(fileTypeOf(bytes('wOF2\0\x01'))).toBe('font/woff2');
    expect(imageTypeOf(bytes('wOF2\0\x01'))).toBeUndefined();
    expect(fileTypeOf(bytes('GIF89a…'))).toBe('image/gif');
    expect(fileTypeOf(bytes('%PDF-1.7'))).toBeUndefined();
  });

  test.each<[type: FileType, names: string[]]>([
    ['image/png', ['logo.png', 'my.logo.PNG']],
    ['image/jpeg', ['logo.jpg', 'Logo.JPEG']],
    ['image/webp', ['logo.webp']],
    ['image/gif', ['logo.gif']],
    ['image/svg+xml', ['logo.svg']],
    ['font/woff2', ['brand.woff2']],
  ])('%s is what the extensions of %j say', (type, names) => {
    for (const name of names) expect(hasExtensionOf(type, name)).toBe(true);
    for (const name of ['logo', 'logo.', 'logo.txt', `${names[0]}.zip`]) expect(hasExtensionOf(type, name)).toBe(false);
  });

  test('is not what another extension says', () => {
    expect(hasExtensionOf('image/png', 'logo.svg')).toBe(false);
  });
});

test.each([
  ['6F1C4F0E-8F4F-4C42-9B5E-2B4F0C1D7A10', '/files/6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10'],
  ['../../etc', undefined],
  ['logo', undefined],
  ['', undefined],
  [null, undefined],
  [7, undefined],
  [{}, undefined],
])('content that names %j has the file %j', (value, path) => {
  expect(pathOfNamedFile(value)).toBe(path);
});

test('an image has at most 2 MB', () => {
  expect(maxImageBytes).toBe(2_097_152);
});

test('a file is read as it was stored', () => {
  const id = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
  const file = { file_id: id, team_id: id, type: 'font/woff2', bytes: 9, name: 'a.woff2', inserted_at: 'now' };
  expect(teamFileSchema.parse(file)).toEqual(file);
  expect(teamFileSchema.safeParse({ ...file, type: 'text/html' }).success).toBe(false);
});
