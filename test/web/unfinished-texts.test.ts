import { describe, expect, test } from 'vitest';
import { markupIn } from '../../lib/web/warnings/markup.ts';

describe('a text that is not meant for people:', () => {
  test.each<[text: string, is: RegExp]>([
    ['TODO write the offer', /`TODO write`, .*: write the text/],
    ['FIXME: rate', /not written yet/],
    ['Our rate is TBD', /`TBD`/],
    ['[cs] Your card', /`\[cs\] Your card`/],
    ['[de-AT] Your card', /not written yet/],
    ['xxx', /`xxx`/],
    ['XXXXX', /`XXXXX`/],
    ['Call us at XXX', /`XXX`/],
    ['A rate of X.XX% and XX%', /`XX%`/],
    ['You get $XX', /`\$XX`/],
    ['Welcome to [Your Bank Name]', /`\[Your Bank Name\]`/],
    ['Welcome to <Bank name>', /`<Bank name>`/],
    ['Your text here', /`Your text here`/],
    ['Insert text here', /`Insert text here`/],
    ['Sample text', /`Sample text`/],
    ['LOREM IPSUM', /not written yet/],
    ['Hello {{name_first|TODO}}', /`\|TODO`/],
    ['Hello {{name_first|XXX}}', /`XXX`/],
    ['Hello {{name_first | null}}', /a value of a program, `\| null`/],
    ['A rate of #DIV/0!', /a value of a program, `#DIV\/0!`/],
    ['You save $NaN', /a value of a program, `NaN`/],
    ['You save $undefined', /a value of a program, `\$undefined`/],
    ['As an AI language model, I cannot', /a message of a language model/],
    ['Here is the text for your page:', /`Here is the text for`, .*: delete it/],
    ['* one\n* two', /Markdown, `\* one`/],
  ])('%j', (text, is) => {
    expect(markupIn(text)).toEqual([expect.stringMatching(is)]);
  });

  test.each([
    'TODO LO QUE NECESITA',
    'TODO lo que necesita',
    'TBC Bank',
    'Your card XXXX 1234',
    'Your card ••••-XXXX-XXXX-1234',
    'Write it as XXX-XXX-XXXX',
    'A text here and there',
    'Type your full name here',
    'Your card is here',
    'The placeholder of a name',
    'Here is your card',
    'Here is how it works',
    '* required',
    'What is your name? *\n\n* required',
    'We use no AI',
    '[US] residents only',
    'Here is the text of the agreement',
    'Of course, here are our fees',
    'Nan and NAN',
    'Mexx and the XXL size',
    'Hello {{name_first|none}}',
  ])('%j is none', (text) => {
    expect(markupIn(text)).toEqual([]);
  });
});
