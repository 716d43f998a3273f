/**
 * What an SVG image may contain: only drawing, and nothing that runs code, loads anything or links elsewhere. Elements
 * must be on a list. The names and values of attributes must not do more than draw.
 */

export type SvgAttribute = { name: string; namespace: string; value: string };
export type SvgElement = { name: string; namespace: string; attributes: readonly SvgAttribute[] };

const svg = 'http://www.w3.org/2000/svg';
const xlink = 'http://www.w3.org/1999/xlink';
const xml = 'http://www.w3.org/XML/1998/namespace';
const xmlns = 'http://www.w3.org/2000/xmlns/';

const drawing = new Set([
  ...['svg', 'g', 'defs', 'symbol', 'use', 'switch', 'view', 'title', 'desc', 'metadata', 'style', 'image'],
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'textPath'],
  ...['linearGradient', 'radialGradient', 'stop', 'pattern', 'clipPath', 'mask', 'marker', 'filter'],
  ...['feBlend', 'feColorMatrix', 'feComponentTransfer', 'feComposite', 'feConvolveMatrix', 'feDiffuseLighting'],
  ...['feDisplacementMap', 'feDistantLight', 'feDropShadow', 'feFlood', 'feFuncA', 'feFuncB', 'feFuncG', 'feFuncR'],
  ...['feGaussianBlur', 'feMerge', 'feMergeNode', 'feMorphology', 'feOffset', 'fePointLight', 'feSpecularLighting'],
  ...['feSpotLight', 'feTile', 'feTurbulence'],
]);

/** Namespaces of notes that drawing programs write into their files. Browsers ignore them. */
const notes = [
  'http://www.inkscape.org/namespaces/inkscape',
  'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://purl.org/dc/elements/1.1/',
  'http://creativecommons.org/ns#',
  'http://web.resource.org/cc/',
  'http://www.serif.com/',
  'http://www.bohemiancoding.com/sketch/ns',
  'http://www.figma.com/figma/ns',
];
const isNote = (namespace: string): boolean =>
  notes.includes(namespace) || namespace.startsWith('http://ns.adobe.com/');

/** The reason why the element is not allowed in an image. Undefined if it is allowed. */
export function elementError(element: SvgElement, isRoot: boolean): string | undefined {
  const { name, namespace, attributes } = element;
  if (isRoot && (namespace !== svg || name !== 'svg')) return `must be an svg element of the namespace ${svg}`;
  if (namespace !== svg && !isNote(namespace)) return `has the element ${name} of the namespace "${namespace}"`;
  if (namespace === svg && !drawing.has(name)) return `has the element ${name}`;
  for (const attribute of attributes) {
    const reason = attributeError(attribute, element);
    if (reason) return `has ${reason} at an element ${name}`;
  }
  return undefined;
}

/** Attributes with a text for people, or with a name. */
const isText = (name: string): boolean => /^(?:id|class|lang|aria-[a-z]+|data-[\w.-]+)$/.test(name);

function attributeError({ name, namespace, value }: SvgAttribute, element: SvgElement): string | undefined {
  if (namespace === xmlns) return undefined;
  if (/^on/i.test(name)) return `the event handler ${name}`;
  if (isNote(namespace)) return undefined;
  if (namespace === xml) return name === 'base' ? 'the attribute xml:base' : undefined;
  if (namespace !== '' && namespace !== xlink) return `the attribute ${name} of the namespace "${namespace}"`;
  if (/^(?:href|src|ping|action|formaction)$/i.test(name)) {
    return isOwnReference(value, element) ? undefined : `a reference to something outside the image (${name})`;
  }
  if (isText(name) || namespace === xlink) return undefined;
  const reason = styleError(value);
  return reason && `${reason} in the attribute ${name}`;
}

/** A reference to a part of the image itself, or to a picture in it as a data URL. */
const isOwnReference = (value: string, { name, namespace }: SvgElement): boolean =>
  /^\s*#[^\s]*\s*$/.test(value) ||
  (namespace === svg &&
    name === 'image' &&
    /^\s*data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/.test(value));

const functions = new Set([
  ...['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color', 'color-mix', 'light-dark'],
  ...['var', 'calc', 'min', 'max', 'clamp', 'matrix', 'translate', 'translatex', 'translatey', 'scale', 'scalex'],
  ...['scaley', 'rotate', 'skewx', 'skewy', 'cubic-bezier', 'steps', 'not', 'is', 'where', 'nth-child', 'lang'],
  ...['nth-of-type', 'blur', 'brightness', 'contrast', 'drop-shadow', 'grayscale', 'hue-rotate', 'invert', 'opacity'],
  ...['saturate', 'sepia', 'polygon', 'circle', 'ellipse', 'inset', 'path', 'and', 'or'],
]);
/** Longer than the name of any listed function. */
const longestName = 40;
const rules = new Set(['media', 'supports', 'keyframes', '-webkit-keyframes']);

/**
 * The reason why the style of an element or of an attribute is not allowed in an image. Only listed functions are
 * allowed, because others can load something. Escapes are not allowed, because they can hide a name.
 */
export function styleError(css: string): string | undefined {
  if (css.includes('\\')) return 'an escape';
  if (/(?:javascript|vbscript|data)\s*:/i.test(css)) return 'a URL that is not allowed';
  if (/-moz-binding|\bbehavior\s*:/i.test(css)) return 'a binding';
  const [rule] = [...css.matchAll(/@[\w-]+/g)].find(([each]) => !rules.has(each.slice(1).toLowerCase())) ?? [];
  if (rule) return `the rule ${rule}`;
  for (const { index } of css.matchAll(/\(/g)) {
    const name = /[\w-]*$/.exec(css.slice(Math.max(0, index - longestName), index))![0];
    const isAllowed = name.toLowerCase() === 'url' ? isOwnUrl(css.slice(index)) : isFunction(name);
    if (!isAllowed) return `${name}(…)`;
  }
  return undefined;
}

/** @param css from the opening parenthesis of a URL function */
const isOwnUrl = (css: string): boolean => /^\(\s*(?:"#[^"\s]*"|'#[^'\s]*'|#[^\s"'()]*)\s*\)/i.test(css);
/** Parentheses without a name only group. */
const isFunction = (name: string): boolean => name === '' || functions.has(name.toLowerCase());
