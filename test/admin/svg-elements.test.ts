import { describe, expect, test } from 'vitest';
import { elementError, styleError } from '../../bin/admin/svg-elements.ts';

/** Files of drawing programs, which `test/admin/svg.test.ts` tests as a whole, consist of these. */
const namespace = 'http://www.w3.org/2000/svg';
const errorOf = (name: string, fields: object = {}) =>
  elementError({ name, namespace, attributes: [], ...fields }, false);

test('an image may have every element that only draws', () => {
  const drawing = [
    ...['svg', 'g', 'defs', 'symbol', 'use', 'switch', 'view', 'title', 'desc', 'metadata', 'style', 'image'],
    ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'textPath'],
    ...['linearGradient', 'radialGradient', 'stop', 'pattern', 'clipPath', 'mask', 'marker', 'filter'],
  ];
  const effects = [
    ...['Blend', 'ColorMatrix', 'ComponentTransfer', 'Composite', 'ConvolveMatrix', 'DiffuseLighting'],
    ...['DisplacementMap', 'DistantLight', 'DropShadow', 'Flood', 'FuncA', 'FuncB', 'FuncG', 'FuncR', 'GaussianBlur'],
    ...['Merge', 'MergeNode', 'Morphology', 'Offset', 'PointLight', 'SpecularLighting', 'SpotLight', 'Tile'],
    'Turbulence',
  ];
  const names = [...drawing, ...effects.map((name) => `fe${name}`)];
  expect(names.filter((name) => errorOf(name) !== undefined)).toEqual([]);
});

test.each([
  'http://www.inkscape.org/namespaces/inkscape',
  'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://purl.org/dc/elements/1.1/',
  'http://creativecommons.org/ns#',
  'http://web.resource.org/cc/',
  'http://www.serif.com/',
  'http://www.bohemiancoding.com/sketch/ns',
  'http://www.figma.com/figma/ns',
  'http://ns.adobe.com/AdobeIllustrator/10.0/',
])('an image may have notes of %s, without handlers', (notes) => {
  expect(errorOf('note', { namespace: notes })).toBeUndefined();
  const attribute = (name: string) => ({ attributes: [{ name, namespace: notes, value: 'f(1)' }] });
  expect(errorOf('path', attribute('zoom'))).toBeUndefined();
  expect(errorOf('path', attribute('onload'))).toBe('has the event handler onload at an element path');
});

test.each([
  ['', 'has the element note of the namespace ""'],
  ['http://www.w3.org/1999/xhtml', 'has the element note of the namespace "http://www.w3.org/1999/xhtml"'],
])('an image may not have elements of the namespace "%s"', (other, error) => {
  expect(errorOf('note', { namespace: other })).toBe(error);
});

describe('a style may use', () => {
  test('these functions', () => {
    const names = [
      ...['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color', 'color-mix', 'light-dark'],
      ...['var', 'calc', 'min', 'max', 'clamp', 'matrix', 'translate', 'translateX', 'translateY', 'scale', 'scaleX'],
      ...['scaleY', 'rotate', 'skewX', 'skewY', 'cubic-bezier', 'steps', 'not', 'is', 'where', 'nth-child', 'lang'],
      ...['nth-of-type', 'blur', 'brightness', 'contrast', 'drop-shadow', 'grayscale', 'hue-rotate', 'invert'],
      ...['opacity', 'saturate', 'sepia', 'polygon', 'circle', 'ellipse', 'inset', 'path', 'and', 'or'],
    ];
    expect(names.filter((name) => styleError(`.a{x:${name}(1)}`) !== undefined)).toEqual([]);
    const others = names.map((name) => `my-${name}`);
    expect(others.map((name) => styleError(`.a{x:${name}(1)}`))).toEqual(others.map((name) => `${name}(…)`));
  });

  test.each(['media', 'supports', 'keyframes', '-webkit-keyframes', 'MEDIA'])('the rule @%s', (name) => {
    expect(styleError(`@${name} x{}`)).toBeUndefined();
  });
});
