import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';

/** More than drawing programs write. The parser's time for one element grows with its depth. */
const maxDepth = 100;

const svg = 'http://www.w3.org/2000/svg';
/** Namespaces of what browsers do not ignore in an image. Drawing programs write notes in others. */
const active = new Set([
  '',
  'http://www.w3.org/1999/xhtml',
  'http://www.w3.org/1998/Math/MathML',
  'http://www.w3.org/2001/xml-events',
]);
/** Elements that run scripts, hold other documents, load something, or change attributes that were checked. */
const refusedElements = /^(?:script|handler|foreignObject|a|set|animate\w*|discard|feImage|font-face-uri)$/i;
/** What runs scripts or loads something in a style, and the escapes that can hide it. */
const refusedStyles = [
  /\\|(?:javascript|vbscript|data)\s*:|-moz-binding|\bbehavior\s*:|@import|@font-face/i,
  /\b(?:expression|image|image-set|cross-fade|src)\(/i,
  /\burl\((?!\s*(?:"#[^"\s]*"|'#[^'\s]*'|#[^\s"'()]*)\s*\))/i,
];
const reference = /^(?:href|src|ping|action|formaction)$/i;
/** Attributes with a text for people, or with a name. */
const textAttribute = /^(?:id|class|lang|aria-[a-z]+|data-[\w.-]+)$/;
const picture = /^\s*data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/;

class Refused extends Error {}
const refuse = (reason: string | undefined): void => {
  if (reason !== undefined) throw new Refused(reason);
};

/**
 * The reason why the file is not allowed as an SVG image. Undefined if it is allowed: it has no script, and refers to
 * nothing outside itself.
 */
export function svgError(bytes: Uint8Array): string | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'is not UTF-8';
  }
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    return `is not well-formed XML: ${error instanceof Error ? error.message : error}`;
  }
}

function parse(text: string): void {
  const parser = new SaxesParser({ xmlns: true, position: true });
  /** The names of the open elements. */
  const open: string[] = [];
  let style = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('xmldecl', ({ encoding, version }) => {
    if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') refuse(`has the encoding ${encoding}, not UTF-8`);
    if (version !== '1.0') refuse(`is XML ${version}, not 1.0`);
  });
  // Drawing programs name the DTD, which browsers do not load.
  parser.on('doctype', (declaration) =>
    refuse(declaration.includes('[') ? 'has definitions in its DOCTYPE' : undefined),
  );
  parser.on('processinginstruction', ({ target }) => refuse(`has the processing instruction ${target}`));
  parser.on('opentag', (element) => {
    const { local, uri, attributes } = element;
    if (open.length === 0 && (uri !== svg || local !== 'svg')) refuse(`must be an svg element of the namespace ${svg}`);
    if (active.has(uri) || refusedElements.test(local)) refuse(`has the element ${local}`);
    if (open.at(-1) === 'style') refuse('has an element in a style element');
    for (const attribute of Object.values(attributes)) refuse(attributeError(attribute, element));
    if (open.push(local) > maxDepth) refuse(`has more than ${maxDepth} nested elements`);
    style = '';
  });
  const styled = (part: string) => {
    if (open.at(-1) === 'style') style += part;
  };
  parser.on('text', styled);
  parser.on('cdata', styled);
  parser.on('closetag', () => {
    if (open.pop() === 'style') refuse(styleError(style, 'a style element'));
  });
  parser.write(text).close();
}

function attributeError({ local, name, prefix, uri, value }: SaxesAttributeNS, element: SaxesTagNS) {
  if (/^on/i.test(local)) return `has the event handler ${local} at an element ${element.local}`;
  const place = `the attribute ${name} at an element ${element.local}`;
  if (name === 'xml:base' || (uri !== '' && active.has(uri))) return `has ${place}`;
  if (reference.test(local))
    return isOwnReference(value, element) ? undefined : `has a reference to elsewhere in ${place}`;
  return prefix !== '' || textAttribute.test(local) ? undefined : styleError(value, place);
}

/** A reference to a part of the image itself, or to a picture in it as a data URL. */
const isOwnReference = (value: string, { local, uri }: SaxesTagNS): boolean =>
  /^\s*#[^\s]*\s*$/.test(value) || (uri === svg && local === 'image' && picture.test(value));

function styleError(css: string, place: string): string | undefined {
  const found = refusedStyles.map((refused) => refused.exec(css)?.[0]).find((each) => each !== undefined);
  return found && `has ${found} in ${place}`;
}
