import type { ErrorDetail } from '../../domain/problem.ts';
import { brokenCharacters } from './encodings.ts';
import { invisibleIn } from './invisible.ts';
import type { ShownText } from './shapes.ts';

/** HTML, Markdown, URLs and other text that is not meant for people: a page shows it as it is written. */
export const markupWarnings = (texts: readonly ShownText[]): ErrorDetail[] =>
  texts
    .filter(({ is }) => is === 'text')
    .flatMap(({ text, path }) => markupIn(text, path).map((message) => ({ path, message })));

/** What is to be said of the markup of a text, once for each kind. @param path of the text */
export const markupIn = (text: string, path = ''): string[] => [
  ...invisibleIn(text),
  ...kinds.flatMap(({ is, pattern, instead, notIn }) => {
    if (notIn?.test(path)) return [];
    const [found] = text.match(pattern) ?? [];
    return found === undefined ? [] : [`has ${is}, \`${found.trim()}\`, which people see as it is written: ${instead}`];
  }),
];

const instead = 'texts are plain. Separate paragraphs by an empty line, and use blocks for headings, links and images';

/** Only elements that authors write in texts, so that `<name>` and `a <b` are none. */
const elements =
  'a|abbr|article|b|big|blockquote|br|center|code|div|em|font|footer|h[1-6]|header|hr|i|iframe|img|input|label|li|mark|ol|p|pre|s|script|section|small|span|strong|style|sub|sup|table|tbody|td|th|thead|tr|u|ul|video';

const entities =
  'amp|lt|gt|quot|apos|nbsp|ensp|emsp|thinsp|shy|zwnj|zwj|copy|reg|trade|euro|pound|yen|cent|mdash|ndash|hellip|bull|middot|rarr|larr|lsquo|rsquo|ldquo|rdquo|laquo|raquo|deg|times|szlig|sect|para|iexcl|iquest|[A-Za-z](?:uml|acute|grave|circ|tilde|cedil|ring)';

const kinds: readonly { is: string; pattern: RegExp; instead: string; notIn?: RegExp }[] = [
  { is: 'HTML', pattern: new RegExp(`</?(?:${elements})(?:\\s[^<>]*)?/?>|<!--`, 'i'), instead },
  {
    is: 'an HTML entity',
    pattern: new RegExp(`&(?:amp;)*(?:#\\d+|#x[\\da-f]+|${entities});`, 'i'),
    instead: 'write the character itself',
  },
  {
    is: 'Markdown',
    pattern:
      /\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*|(?<![\w*])\*\w(?:[^*\n]*[\w.!?])?\*(?![\w*])|(?<![\w_])__[^\s_](?:[^_\n]*[^\s_])?__(?![\w_])|!?\[[^\]\n]+\]\((?:[a-z]+:|\/|#|\{\{)[^)\n]*\)|^ {0,3}(?:[-+]|#{1,6}) (?=\S)[^\n]{0,20}|^ {0,3}\* (?=\S[\s\S]*\n {0,3}\* \S)[^\n]{0,20}/im,
    instead,
  },
  {
    is: 'a backslash and the letter n',
    pattern: /\\n/,
    instead: 'write a line break in JSON as \\n with one backslash',
  },
  {
    is: 'a URL',
    pattern: /(?<![\w("'=\][])https?:\/\/[^\s<>"]*[^\s<>".,;:!?)]|\{\{\s*journey_url\s*\}\}/i,
    // The text of a link can be its URL, and a variable can be a part of a URL.
    notIn: /\/(?:documentLinkText|links\/\d+\/text|cta\/text|content_variables\/.*)$/,
    instead: 'texts have no links. Write the URL into a block of the type button or document_link',
  },
  {
    is: 'a text that is not written yet',
    // In capital letters, because `todo` is a word of Spanish. TBC is the name of a bank, and [US] a country.
    pattern:
      /^\s*(?:TODO|TBC|FIXME)\s*(?::[\s\S]*)?$|^\s*(?:TODO|FIXME)(?: [-–—]| (?:add|ask|change|check|confirm|copy|find|fix|get|insert|replace|review|text|the|translate|update|write)\b)|\bTBD\b|\bFIXME\b|\(TBC\)|\[(?:TODO|TBC)\]|^\s*\[[a-z]{2}(?:-[A-Z]{2})?\] \S[^\n]{0,20}|\|\s*(?:TODO|TBC|FIXME)\s*(?=\}\})/,
    instead: 'write the text',
  },
  {
    is: 'a text that is not written yet',
    // A masked number, such as XXXX 1234, is meant.
    pattern:
      /lorem ipsum|\basdf[ghjkl]*\b|\[(?:to be (?:confirmed|translated)|review|translate|revisar|pendiente|traducir|prüfen|übersetzen|ergänzen|à (?:compléter|revoir|traduire|vérifier)|doplnit|ověřit|přeložit|zkontrolovat|للمراجعة)\]|(?<![\w•*-])x{3,}(?!\w|[ •*-]*[\dx•*])|\bxx+(?:[.,]x+)? ?%|[$€£] ?xx+\b|[[<](?:(?:insert|enter|your|bank|brand|company|institution|credit union|product|branch) [^\]>\n]+|placeholder)[\]>]|\b(?:your|insert|add|enter|put|place|write)(?: your| the| some| a)? (?:text|title|headline|heading|copy|content|description|body|subtitle) (?:goes )?here\b|\b(?:sample|dummy|placeholder) text\b/i,
    instead: 'write the text',
  },
  {
    is: 'a value of a program',
    pattern:
      /^\s*(?:null|undefined|\?{2,})\s*$|#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!)|\bNaN\b|\bInvalid Date\b|\bundefined(?=\s?[%€$!])|(?:^(?:Hello|Hi|Dear|Welcome|Hallo|Hola|Bonjour)|:) undefined\b(?!\s+\w)|[$€£] ?(?:null|undefined)\b|\|\s*(?:null|undefined|None)\s*(?=\}\})|\[object Object\]|\\u[\da-fA-F]{4}/,
    instead: 'write the text',
  },
  {
    is: 'a message of a language model',
    pattern:
      /\bas an AI (?:language )?model\b|\bhere(?:['’]s| is) (?:the|your|a) (?:\w+ ){0,2}(?:text for|translation (?:for|of))\b|^(?:certainly|sure)[!,.] here(?:['’]s| is) (?:the|your|a)\b|^\s*(?:here(?:['’]s| is) (?:the|your) (?:\p{L}+ )?translation|hier ist die (?:\p{L}+ )?übersetzung|aquí (?:está|tienes|tiene) la traducción|voici la traduction|(?:zde|tady|tu) je (?:\p{L}+ )?překlad|(?:إليك|هذه هي|فيما يلي) الترجمة)(?: [\p{L} ]{1,40})?\s?:/iu,
    instead: 'delete it',
  },
  {
    is: 'characters of another encoding',
    pattern: brokenCharacters,
    instead: 'save the file as UTF-8, and write the text again',
  },
];
