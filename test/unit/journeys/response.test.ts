import { describe, expect, test } from 'vitest';
import {
  answerErrors,
  answersOfForm,
  complete,
  isPrivate,
  isSignature,
  type KeptResponse,
  keptResponse,
  keptResponses,
  type SentAnswer,
  sentAnswers,
  shownAnswer,
  shownResponseOf,
} from '../../../lib/domain/journeys/answer.ts';
import { addAnswers, latestAnswers } from '../../../lib/domain/journeys/given-answer.ts';
import { noValues } from '../../../lib/domain/journeys/placeholders.ts';

const block = (id: string, type: string, data: object = {}) => ({ id, type, data }) as never;
const blocks = [
  block('agree', 'Agree-Disagree', { agreementText: 'I agree with {{team.name}}' }),
  block('sign', 'signature', { signatureBoxText: 'Your name' }),
  block('survey', 'survey', { questions: ['Why?', { text: 'How?' }] }),
  block('text', 'text', { body: 'Hello' }),
  block('unsigned', 'agreement', { signatureBoxText: ' ' }),
  block('required', 'survey', { questions: [{ text: 'Who?', required: true }] }),
];
const facts = { identity_facts_changed_at: null, identity_facts_changed_by: null };
const given = { page_id: 'page', content_revision: 'r', identity_proved: false, ...facts };
const context = { ...given, blocks, newId: () => 'id', values: { ...noValues, teamName: 'Cedar' } };
test.each([
  ['Jana', true],
  ['Yu', true],
  ['李明', true],
  ['أب', true],
  ['தி', true],
  ['O O', true],
  ['𠮷田', true],
  ['J', false],
  ['J.', false],
  ['é'.normalize('NFD'), false],
  ['李', false],
  ['1 2', false],
  ['--', false],
  ['', false],
  [undefined, false],
])('%j is a signature: %s', (name, expected) => {
  expect(isSignature(name)).toBe(expected);
});

const sent = (block_id: string, fields: object = {}): SentAnswer => ({ block_id, ...fields });

describe('an answer', () => {
  test.each<[string, SentAnswer[], string[]]>([
    ['that agrees', [sent('agree', { answer: 'accepted' })], []],
    ['that declines, without a signature', [sent('sign', { answer: 'declined' })], []],
    ['that signs', [sent('sign', { answer: 'accepted', typed_name: 'Jana' })], []],
    ['of a survey', [sent('survey', { values: [{ question: 'Why?', value: 'So' }] })], []],
    ['that declines, with an empty text for a signature', [sent('unsigned', { answer: 'accepted' })], []],
    ['to an agreement without a decision', [sent('agree')], ['/answers/0/answer must be accepted or declined']],
    [
      'that agrees without the signature',
      [sent('sign', { answer: 'accepted', typed_name: ' ' })],
      ['/answers/0/typed_name is required: the block asks for a signature'],
    ],
    [
      'that agrees with one letter as the signature',
      [sent('sign', { answer: 'accepted', typed_name: 'J.' })],
      ['/answers/0/typed_name must have at least two letters: the block asks for a signature'],
    ],
    ['with one letter where no signature is asked', [sent('agree', { answer: 'accepted', typed_name: 'J' })], []],
    [
      'that accepts a survey',
      [sent('survey', { answer: 'accepted' })],
      ['/answers/0/answer must be left out: a survey has no decision'],
    ],
    [
      'with values for a block without questions',
      [sent('agree', { answer: 'accepted', values: [{ question: 'Why?', value: 'So' }] })],
      ['/answers/0/values must be left out: the block has no questions'],
    ],
    [
      'to a question that the survey does not ask',
      [sent('survey', { values: [{ question: 'Where?', value: 'So' }] })],
      ['/answers/0/values/0/question must be a question of the block'],
    ],
    [
      'to a block that takes none',
      [sent('text', { answer: 'accepted' })],
      ['/answers/0/block_id must be a block of the page that takes an answer'],
    ],
    [
      'to a block of another page',
      [sent('agree', { answer: 'accepted' }), sent('none')],
      ['/answers/1/block_id must be a block of the page that takes an answer'],
    ],
    [
      'given twice',
      [sent('survey'), sent('survey')],
      ['/answers/1/block_id must not be answered twice in one request'],
    ],
    [
      'without a required one, behind a survey that requires none',
      [sent('survey'), sent('required', { values: null })],
      ['/answers/1/values must have an answer to "Who?"'],
    ],
  ])('%s', (_, answers, errors) => {
    expect(answerErrors(answers, blocks, noValues).map(({ path, message }) => `${path} ${message}`)).toEqual(errors);
  });

  test.each<[string, string]>([
    ['agreement', 'must be accepted or declined'],
    ['Agree  Disagree', 'must be accepted or declined'],
    ['SIGNATURE', 'must be accepted or declined'],
    ['confirm', 'must be accepted or declined'],
    ['confirmation', 'must be accepted or declined'],
    ['constructor', 'must be a block of the page that takes an answer'],
  ])('to a block of type %s: %s', (type, message) => {
    expect(answerErrors([sent('b')], [block('b', type)], noValues)[0]?.message).toBe(message);
  });

  const errorsOf = (answers: unknown) =>
    sentAnswers()
      .safeParse(answers)
      .error?.issues.map(({ path, message }) => `${path.join('/')} ${message}`);
  test.each<[unknown, string]>([
    [{}, ' must be an array'],
    [Array.from({ length: 41 }, () => sent('b')), ' must have at most 40 entries'],
    [[5], '0 must be an object'],
    [[{}], '0/block_id is required'],
    [[sent('b', { answer: 'yes' })], '0/answer must be accepted or declined'],
    [[sent('b', { typed_name: 'x'.repeat(201) })], '0/typed_name must be at most 200 characters'],
    [[sent('b', { values: 5 })], '0/values must be an array'],
    [[sent('b', { values: [5] })], '0/values/0 must be an object'],
    [
      [sent('b', { values: Array.from({ length: 101 }, () => ({ question: 'q', value: 'v' })) })],
      '0/values must have at most 100 entries',
    ],
    [
      [sent('b', { values: [{ question: 'q', value: 'x'.repeat(4001) }] })],
      '0/values/0/value must be at most 4000 characters',
    ],
    [[sent('b', { values: [{ value: 'v' }] })], '0/values/0/question is required'],
  ])('%.60j has the error "%s"', (answers, error) => {
    expect(errorsOf(answers)).toEqual([error]);
  });

  test('names its block in any case', () => {
    expect(sentAnswers().parse([sent('AB', { answer: null, typed_name: null, values: null })])).toEqual([
      sent('ab', { answer: null, typed_name: null, values: null }),
    ]);
  });

  test.each<[what: string, declineCompletes: unknown, sent: SentAnswer[], expected: boolean]>([
    ['accepts all', undefined, [sent('agree', { answer: 'accepted' }), sent('survey')], true],
    [
      'declines one of several',
      undefined,
      [sent('agree', { answer: 'accepted' }), sent('sign', { answer: 'declined' })],
      false,
    ],
    ['declines a block of which a no is an answer', true, [sent('sign', { answer: 'declined' })], true],
    ['declines a block that says so in other words', 'yes', [sent('sign', { answer: 'declined' })], false],
    [
      'declines another block than that of which a no is an answer',
      true,
      [sent('sign', { answer: 'declined' }), sent('agree', { answer: 'declined' })],
      false,
    ],
  ])('that %s completes the page or not', (_, declineCompletes, answers, expected) => {
    const block = (id: string, data: object) => ({ id, type: 'agreement', data }) as never;
    expect(complete(answers, [block('agree', {}), block('sign', { declineCompletes })])).toBe(expected);
  });

  test('is kept with what the block said', () => {
    let ids = 0;
    const proved = { identity_facts_changed_at: 'then', identity_facts_changed_by: 'import', identity_proved: true };
    const answers = [
      sent('agree', { answer: 'declined', more: 1 }),
      sent('survey', { values: [{ question: 'Why?', value: 'So', more: 1 }] }),
    ];
    const shared = { ...given, ...proved, typed_name: null, shows_private: false };
    expect(keptResponses(answers, { ...context, ...proved, newId: () => `id-${++ids}` })).toEqual([
      {
        ...shared,
        ...{ id: 'id-1', block_id: 'agree', block_type: 'Agree-Disagree', answer: 'declined', values: [] },
        text: 'I agree with Cedar',
      },
      {
        ...shared,
        ...{ id: 'id-2', block_id: 'survey', block_type: 'survey', answer: null, text: 'Why?\n\nHow?' },
        values: [{ key: 'question_1', question: 'Why?', value: 'So' }],
      },
    ]);
  });

  test('is kept with all texts that the block shows, in the order of the page', () => {
    const data = {
      documentLinkUrl: 'https://a.example/{{team.name}}',
      documentLinkText: 'Terms of {{team.name}}',
      signatureBoxText: 'Your name',
      text: 'I agree',
      agreementText: 'I have read the terms',
      body: 'Please sign',
      heading: 'Terms',
      layout: 'wide',
    };
    const values = { ...noValues, teamName: 'A B' };
    const keptWith = (typed_name: string | null) => {
      const blocks = [block('b', 'signature', data)];
      return keptResponses([sent('b', { answer: 'accepted', typed_name })], { ...context, blocks, values })[0];
    };
    expect(keptWith('Jana')).toMatchObject({
      typed_name: 'Jana',
      text: [
        ...['Terms', 'Please sign', 'I have read the terms', 'I agree', 'Your name', 'Terms of A B'],
        'https://a.example/A%20B',
      ].join('\n\n'),
    });
    expect(keptWith(' ')?.typed_name).toBeNull();
  });

  test('to a block without data needs no signature', () => {
    const empty = { id: 'b', type: 'agreement', data: null } as never;
    expect(answerErrors([sent('b', { answer: 'accepted' })], [empty], noValues)).toEqual([]);
  });

  test('has the key of its question, or one made from its place', () => {
    const questions = [
      { key: 'ease', text: 'How easy,\n{{team.name}}?' },
      { key: 'time', text: 'When\r\nfirst?' },
      { id: 'why', question: 'Why?' },
      { key: 'again', text: 'Why?' },
      { key: ' ', text: 'When?' },
      { key: 7, text: 'Who?' },
      'Where?',
    ];
    const names = ['How easy,\r\nCedar?', 'When\nfirst?', 'Why?', 'Why? (2)', 'When?', 'Who?', 'Where?'];
    const asking = sent('survey', { values: names.map((question) => ({ question, value: 'x' })) });
    const [kept] = keptResponses([asking], { ...context, blocks: [block('survey', 'survey', { questions })] });
    const keys = ['ease', 'time', 'why', 'again', 'question_5', 'question_6', 'question_7'];
    const shown = ['How easy,\nCedar?', 'When\r\nfirst?', ...names.slice(2)];
    expect(kept?.values).toEqual(shown.map((question, at) => ({ key: keys[at], question, value: 'x' })));
  });
});

test('a form answers the block that it names', () => {
  const form = {
    type: 'page_completed',
    block_id: 'b',
    answer: 'accepted',
    typed_name: '',
    'value:Why?': 'So',
    'value:How?': ' ',
    'no value:Who?': 'I',
  };
  expect(answersOfForm(form)).toEqual([
    { block_id: 'b', answer: 'accepted', values: [{ question: 'Why?', value: 'So' }] },
  ]);
  expect(answersOfForm({ block_id: 'b', answer: '', typed_name: 'Jana' })).toEqual([
    { block_id: 'b', typed_name: 'Jana', values: [] },
  ]);
  expect(answersOfForm({ type: 'page_completed' })).toBeUndefined();
});

test('an answer shows what may hold private values only to whom may read these', () => {
  const kept: KeptResponse = {
    ...{ id: 'r', page_id: 'p', block_id: 'b', block_type: 'survey', answer: null, typed_name: null, at: 'now' },
    ...{ values: [{ key: 'limit', question: 'Is your limit 7,000?', value: 'Yes' }], text: 'Your limit' },
    content_revision: 'r',
    identity_proved: true,
    shows_private: true,
    identity_facts_changed_at: null,
    identity_facts_changed_by: null,
  };
  const { shows_private, ...shown } = kept;
  expect(shownResponseOf(kept, true)).toEqual(shown);
  const values = [{ key: 'limit', question: null, value: null }];
  expect(shownResponseOf(kept, false)).toEqual({ ...shown, values, text: null });
  for (const reads of [true, false]) expect(shownResponseOf({ ...kept, shows_private: false }, reads)).toEqual(shown);
});

test('a page shows what was answered with a proof only to the person who has proved to be the contact', () => {
  const answer = { id: 'r', page_id: 'p', block_id: 'b', answer: null, at: 'now' };
  const values = [{ question: 'Why?', value: 'So' }];
  const response = (identity_proved: boolean) => ({ typed_name: 'Jana', values, identity_proved }) as KeptResponse;
  const shown = { ...answer, typed_name: 'Jana', values };
  expect(shownAnswer(answer, undefined, true)).toEqual(answer);
  expect(shownAnswer(answer, response(true), false)).toEqual(answer);
  expect(shownAnswer(answer, response(true), true)).toEqual(shown);
  expect(shownAnswer(answer, response(false), false)).toEqual(shown);
});

test('a stored response is parsed whole', () => {
  const id = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
  const stored = {
    ...{ id, page_id: id, block_id: id, block_type: 'survey', typed_name: null, at: '2026-01-01T00:00:00.000000Z' },
    ...{
      values: [{ key: 'why', question: 'Why?', value: 'So' }],
      text: 'Why?',
      content_revision: 'r',
      identity_proved: true,
    },
    ...{ shows_private: false, identity_facts_changed_at: null, identity_facts_changed_by: null },
  };
  for (const answer of ['accepted', 'declined', null] as const) {
    expect(keptResponse.parse({ ...stored, answer })).toEqual({ ...stored, answer });
  }
});

test.each<[string, Partial<KeptResponse>, boolean]>([
  ['a typed name with a proof', { identity_proved: true, typed_name: 'Jana' }, true],
  ['values with a proof', { identity_proved: true, values: [{ key: 'q', question: 'q', value: 'v' }] }, true],
  ['only a decision with a proof', { identity_proved: true }, false],
  ['a typed name without a proof', { identity_proved: false, typed_name: 'Jana' }, false],
  ['nothing without a proof', { identity_proved: false }, false],
])('a response with %s is private: %s', (_, fields, expected) => {
  expect(isPrivate({ typed_name: null, values: [], ...fields } as unknown as KeptResponse)).toBe(expected);
});

const now = '2026-03-01T09:00:00.000000Z';
const answering = (id: string, block_id: string, page_id = 'p') => ({ id, page_id, block_id, values: [] }) as never;
const at = (microseconds: number) => now.replace('.000000', `.${String(microseconds).padStart(6, '0')}`);

describe('an answer', () => {
  test('is the latest of the block on its page', () => {
    const { given } = addAnswers([], [answering('1', 'a'), answering('2', 'b')], now);
    const later = addAnswers(given, [answering('3', 'b'), answering('4', 'b', 'q')], now).given;
    const idOf = (page: string, block: string) => latestAnswers(later, page).get(block)?.id;
    expect([idOf('p', 'a'), idOf('p', 'b'), idOf('q', 'a'), idOf('q', 'b')]).toEqual(['1', '3', undefined, '4']);
  });

  test('is later than all others of the journey, whatever the clock says', () => {
    const times = (given: never[], at: string) =>
      addAnswers(given, [answering('1', 'a'), answering('2', 'b')], at).responses.map((each) => each.at);
    const last = (at: string) => [{ ...(answering('0', 'c') as object), at, count: 1 }] as never[];
    expect(times([], now)).toEqual([now, at(1)]);
    expect(times(last(now), now)).toEqual([at(1), at(2)]);
    expect(times(last(at(998)), now)).toEqual([at(999), at(1000)]);
    expect(times(last('2026-03-01T09:59:59.999999Z'), now)).toEqual([
      '2026-03-01T10:00:00.000000Z',
      '2026-03-01T10:00:00.000001Z',
    ]);
    expect(times(last('2026-03-01T08:00:00.000Z'), now)).toEqual([now, at(1)]);
    expect(times(last('2026-03-01T09:00:00.000Z'), now)).toEqual([at(1), at(2)]);
  });

  test('to a survey is kept with the keys of what was chosen, without the texts', () => {
    const values = [
      { key: 'why', question: 'Why?', value: 'Secret' },
      { key: 'how', question: 'How?', option_key: 'well', value: 'Well' },
      { key: 'when', question: 'When?', value: ' ' },
    ];
    const answer = { ...(answering('1', 'a') as object), values } as never;
    const choices = [
      { key: 'why', option_key: null },
      { key: 'how', option_key: 'well' },
    ];
    const { given } = addAnswers([], [answer, answering('2', 'b')], now);
    expect(given.map((each) => each.choices)).toEqual([choices, undefined]);
    expect(addAnswers(given, [{ ...(answer as object), values: [] } as never], now).given.at(-1)).not.toHaveProperty(
      'choices',
    );
  });

  test('is one of at most 50 to its block, on whatever page that was', () => {
    const given = (count: number) => [{ ...(answering('0', 'b', 'q') as object), at: now, count }] as never[];
    expect(addAnswers(given(49), [answering('1', 'b')], now).responses).toHaveLength(1);
    const full = [...given(49), ...addAnswers([], [answering('1', 'b')], now).given];
    const add = () => addAnswers(full, [answering('2', 'a'), answering('3', 'b')], now);
    expect(add).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
});
