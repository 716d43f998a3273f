/**
 * What an SVG image may contain: drawing, and nothing that runs, loads or leads elsewhere. An element must be on a list;
 * an attribute must have no name and no value that does more than draw.
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

/** Notes that drawing programs leave in their files. Browsers do nothing with them. */
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

/** Why the element may not be in an image; nothing where it may. */
export function elementFault(element: SvgElement, isRoot: boolean): string | undefined {
  const { name, namespace, attributes } = element;
  if (isRoot && (namespace !== svg || name !== 'svg')) return `must be an svg element of the namespace ${svg}`;
  if (namespace !== svg && !isNote(namespace)) return `has the element ${name} of the namespace "${namespace}"`;
  if (namespace === svg && !drawing.has(name)) return `has the element ${name}`;
  for (const attribute of attributes) {
    const fault = attributeFault(attribute, element);
    if (fault) return `has ${fault} at an element ${name}`;
  }
  return undefined;
}

/** Attributes that hold a text for people, or a name. */
const isText = (name: string): boolean => /^(?:id|class|lang|aria-[a-z]+|data-[\w.-]+)$/.test(name);

function attributeFault({ name, namespace, value }: SvgAttribute, element: SvgElement): string | undefined {
  if (namespace === xmlns) return undefined;
  if (/^on/i.test(name)) return `the event handler ${name}`;
  if (isNote(namespace)) return undefined;
  if (namespace === xml) return name === 'base' ? 'the attribute xml:base' : undefined;
  if (namespace !== '' && namespace !== xlink) return `the attribute ${name} of the namespace "${namespace}"`;
  if (/^(?:href|src|ping|action|formaction)$/i.test(name)) {
    return isOwnReference(value, element) ? undefined : `a reference that leads out of the image (${name})`;
  }
  if (isText(name) || namespace === xlink) return undefined;
  const fault = styleFault(value);
  return fault && `${fault} in the attribute ${name}`;
}

/** To a part of the image itself, or to a picture that is in it as data. */
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
/** Longer than the name of any function that is listed. */
const longestName = 40;
const rules = new Set(['media', 'supports', 'keyframes', '-webkit-keyframes']);

/**
 * Why the style, of an element or of an attribute, may not be in an image. It may name no function that is not listed,
 * so that none loads anything, and has no escapes, so that every name is what it looks like.
 */
export function styleFault(css: string): string | undefined {
  if (css.includes('\\')) return 'an escape';
  if (/(?:javascript|vbscript|data)\s*:/i.test(css)) return 'a URL that is not allowed';
  if (/-moz-binding|\bbehavior\s*:/i.test(css)) return 'a binding';
  const rule = [...css.matchAll(/@([\w-]+)/g)].find(([, name = '']) => !rules.has(name.toLowerCase()));
  if (rule) return `the rule ${rule[0]}`;
  for (const { index } of css.matchAll(/\(/g)) {
    const [name = ''] = /[\w-]*$/.exec(css.slice(Math.max(0, index - longestName), index)) ?? [];
    const isAllowed = name.toLowerCase() === 'url' ? isOwnUrl(css.slice(index)) : isFunction(name);
    if (!isAllowed) return `${name}(…)`;
  }
  return undefined;
}

/** The part of a URL function from its parenthesis on. */
const isOwnUrl = (css: string): boolean => /^\(\s*(?:"#[^"\s]*"|'#[^'\s]*'|#[^\s"'()]*)\s*\)/i.test(css);
/** Without a name, parentheses only group. */
const isFunction = (name: string): boolean => name === '' || functions.has(name.toLowerCase());
