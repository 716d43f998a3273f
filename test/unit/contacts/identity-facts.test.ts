import { describe, expect, test } from 'vitest';
import {
  type Answers,
  answerTo,
  type FactName,
  factsOf,
  factsOnFile,
  isUnanswered,
} from '../../../lib/domain/contacts/identity-facts.ts';
import { cpuOf } from '../../support/cpu.ts';

const nobody = { birthdate: null, phone_mobile: null, phone_home: null, phone_work: null, post_code: null };
const all = {
  birthdate: '1985-03-27',
  phone_mobile: '15550100001',
  phone_home: '15550100002',
  phone_work: '15550100003',
  post_code: '94110',
};

describe('the facts to ask for', () => {
  test.each([
    ['date of birth and mobile number', all, ['birthdate', 'phone_mobile']],
    ['the home number for want of a mobile one', { ...all, phone_mobile: null }, ['birthdate', 'phone_home']],
    [
      'the number at work for want of both',
      { ...all, phone_mobile: null, phone_home: null },
      ['birthdate', 'phone_work'],
    ],
    ['another number for one that is too short', { ...all, phone_mobile: '911' }, ['birthdate', 'phone_home']],
    [
      'the post code for want of a number',
      { ...nobody, birthdate: all.birthdate, post_code: '94110' },
      ['birthdate', 'post_code'],
    ],
    ['number and post code for want of a date', { ...all, birthdate: null }, ['phone_mobile', 'post_code']],
    [
      'nothing of one who has two numbers alone',
      { ...nobody, phone_mobile: all.phone_mobile, phone_home: all.phone_home },
      [],
    ],
    ['nothing of one who has a date of birth alone', { ...nobody, birthdate: all.birthdate }, []],
    ['nothing of one who has a post code alone', { ...nobody, post_code: all.post_code }, []],
    ['nothing where a post code is but punctuation', { ...nobody, birthdate: all.birthdate, post_code: ' - ' }, []],
    ['nothing of whom nothing is known', nobody, []],
  ] as const)('are %s', (_, contact, names) => {
    expect(factsOf(contact).map(({ name }) => name)).toEqual(names);
  });

  test('are compared as date, last four digits, and post code without what is only written', () => {
    const of = (fields: object) => factsOf({ ...nobody, ...fields }).map(({ value }) => value);
    expect(of({ birthdate: '1985-03-27', phone_home: '15550100002' })).toEqual(['1985-03-27', '0002']);
    expect(of({ phone_work: '+420 777 123 456', post_code: 'sw1a 1aa' })).toEqual(['3456', 'SW1A1AA']);
  });
});

const date = (birth_month: string, birth_day: string, birth_year: string) => ({ birth_month, birth_day, birth_year });

describe('an answer', () => {
  test.each<[FactName, Answers, string]>([
    ['birthdate', date('3', '27', '1985'), '1985-03-27'],
    ['birthdate', date(' 03 ', '7', '1985 '), '1985-03-07'],
    ['birthdate', date('２', '29', '1984'), '1984-02-29'],
    ['phone_mobile', { phone: '0001' }, '0001'],
    ['phone_home', { phone: ' (555) 010-0001 ' }, '0001'],
    ['phone_work', { phone: '０００１' }, '0001'],
    ['phone_mobile', { phone: '۱۲۳۴' }, '1234'],
    ['phone_mobile', { phone: '٠٩٨٧' }, '0987'],
    ['post_code', { post_code: ' 94110 ' }, '94110'],
    ['post_code', { post_code: '94110-1234' }, '94110'],
    ['post_code', { post_code: '941101234' }, '94110'],
    ['post_code', { post_code: 'A941101234' }, 'A941101234'],
    ['post_code', { post_code: '941101234A' }, '941101234A'],
    ['post_code', { post_code: '1'.repeat(100) }, '1'.repeat(100)],
    ['post_code', { post_code: 'sw1a\u00a01aa' }, 'SW1A1AA'],
  ])('to %s of %j is %s', (name, answers, value) => {
    expect(answerTo(name, answers)).toBe(value);
  });

  test.each<[month: string | undefined, day: string, year: string]>([
    ...[['', '', ''] as const, [undefined, '27', '1985'] as const],
    ...['13', '0', '00', '123', '3x', 'March', '-3'].map((month) => [month, '27', '1985'] as const),
    ...['127', '27x', '27T00:00', '27T00:00:00.000Z'].map((day) => ['3', day, '1985'] as const),
    ...['85', '0085', '0985', '11985', '19850', '+001985', '-000085', '1985-03-27T00:00:00Z'].map(
      (year) => ['3', '27', year] as const,
    ),
    ...[['2', '30', '1985'] as const, ['2', '29', '1985'] as const, ['4', '31', '1985'] as const],
  ] as [string | undefined, string, string][])(
    'to birthdate of %j, %j, %j is none',
    (birth_month, birth_day, birth_year) => {
      expect(answerTo('birthdate', { birth_month, birth_day, birth_year })).toBeUndefined();
    },
  );

  test.each<[FactName, Answers]>([
    ['birthdate', {}],
    ['birthdate', { birthdate: '1985-03-27' }],
    ['phone_mobile', {}],
    ['phone_mobile', { phone: '001' }],
    ['phone_mobile', { phone: 'none' }],
    ['phone_mobile', { phone: '1'.repeat(101) }],
    ['post_code', {}],
    ['post_code', { post_code: ' - ' }],
    ['post_code', { post_code: '1'.repeat(101) }],
  ])('to %s of %j is none', (name, answers) => {
    expect(answerTo(name, answers)).toBeUndefined();
  });

  test('that would take long to normalize is not looked at', async () => {
    const marks = '\u0f73\u0315'.repeat(100_000);
    const took = await cpuOf(() => {
      expect(answerTo('phone_mobile', { phone: `1234${marks}` })).toBeUndefined();
      expect(factsOf({ ...all, post_code: marks, phone_mobile: marks })).toHaveLength(2);
    });
    expect(took).toBeLessThan(1000);
  });
});

const born = { birth_month: '3', birth_day: '27', birth_year: '1985' };

test.each<[FactName, Answers, boolean]>([
  ['birthdate', born, false],
  ['birthdate', { ...born, birth_day: ' ' }, true],
  ['birthdate', { ...born, birth_year: undefined }, true],
  ['birthdate', {}, true],
  ['post_code', { post_code: '1' }, false],
  ['post_code', { post_code: '', phone: '1' }, true],
  ['post_code', { phone: '1' }, true],
  ['phone_home', { phone: '1' }, false],
  ['phone_home', { post_code: '1' }, true],
])('the question for %s is unanswered by %j: %s', (name, answers, isMissing) => {
  expect(isUnanswered(name, answers)).toBe(isMissing);
});

test('the facts on file change with each of them', () => {
  const texts = ['birthdate', 'phone_mobile', 'phone_home', 'phone_work', 'post_code'].map((name) =>
    factsOnFile({ ...all, [name]: null }),
  );
  expect(new Set([...texts, factsOnFile(all)]).size).toBe(6);
});
