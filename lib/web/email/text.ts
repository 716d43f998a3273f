import { type Paragraph, textOfPiece } from '../../domain/journeys/markup.ts';
import type { Part } from './parts.ts';

/** The parts as text, for programs that show no HTML. */
export const textOfParts = (parts: readonly Part[]): string => parts.map(textOf).filter(Boolean).join('\n\n');

function textOf(part: Part): string {
  switch (part.is) {
    case 'heading':
    case 'note':
      return part.text.trim();
    case 'text':
      return part.text.map(textOfParagraph).join('\n\n');
    case 'terms':
      return part.terms.map(({ label, value }) => `${label}: ${value}`).join('\n');
    case 'image':
      return part.alt === '' ? '' : `[${part.alt}]`;
    case 'divider':
      return '----------';
    case 'button':
    case 'link':
      return `${part.label}\n${part.url}`;
    case 'card':
      return textOfParts(part.parts);
  }
}

const textOfParagraph = ({ is, lines }: Paragraph): string =>
  lines.map((line) => (is === 'list' ? '- ' : '') + line.map(textOfPiece).join('').trim()).join('\n');
