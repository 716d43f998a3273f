import { SaxesParser } from 'saxes';
import { elementError, styleError } from './svg-elements.ts';

/** More than drawing programs write. The parser's time for one element grows with its depth. */
const maxDepth = 100;

/** The reason why the file is not allowed as an SVG image. Undefined if it is allowed. */
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

class Refused extends Error {}
const refuse = (reason: string | undefined): void => {
  if (reason !== undefined) throw new Refused(reason);
};

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
  parser.on('doctype', () => refuse('has a DOCTYPE; remove that line'));
  parser.on('processinginstruction', ({ target }) => refuse(`has the processing instruction ${target}`));
  parser.on('opentag', ({ local, uri, attributes }) => {
    const listed = Object.values(attributes).map((each) => ({
      name: each.local === '' ? each.name : each.local,
      namespace: each.uri,
      value: each.value,
    }));
    if (open.at(-1) === 'style') refuse('has an element in a style element');
    refuse(elementError({ name: local, namespace: uri, attributes: listed }, open.length === 0));
    if (open.push(local) > maxDepth) refuse(`has more than ${maxDepth} nested elements`);
    style = '';
  });
  const styled = (part: string) => {
    if (open.at(-1) === 'style') style += part;
  };
  parser.on('text', styled);
  parser.on('cdata', styled);
  parser.on('closetag', () => {
    const reason = open.pop() === 'style' ? styleError(style) : undefined;
    refuse(reason && `has ${reason} in a style element`);
  });
  parser.write(text).close();
}
