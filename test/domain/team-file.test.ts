import { describe, expect, test } from 'vitest';
import { fileTypeOf, hasExtensionOf, imageTypeOf, pathOfNamedFile } from '../../lib/domain/team-file.ts';

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

  test('is what the extension of a name says, or it is not', () => {
    expect(hasExtensionOf('image/jpeg', 'Logo.JPEG')).toBe(true);
    expect(hasExtensionOf('image/png', 'logo.svg')).toBe(false);
    expect(hasExtensionOf('image/png', 'logo')).toBe(false);
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
